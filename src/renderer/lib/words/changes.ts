/** Why a field of a call changed (design/ui, section 16). */
import type { CellView, ChangeKind, ChangeReason, ChangeReasonView } from '../../../contract/call-changes.ts';

export const CHANGE_WORDS: Record<ChangeKind, { readonly mark: string; readonly word: string }> = {
  rewritten: { mark: '~', word: 'rewritten' },
  added: { mark: '+', word: 'added' },
  left_out: { mark: '\u2212', word: 'left out' },
};

/** `top` is the field of the call in which the change is. */
type Words = (top: string, detail: string) => string;

const TEXTS: Record<ChangeReason, string | Words> = {
  write_key: "The write key is the sender's secret",
  path_type: 'The path of the request names the type',
  id_number_to_string: 'Ids that are numbers become strings',
  message_id_assigned: 'The call had none that can be used, so one was assigned',
  timestamp_missing: 'The call had none, so the time of arrival is used',
  original_timestamp: 'Taken from originalTimestamp',
  time_utc: 'UTC',
  time_millisecond: 'Written to the millisecond',
  clock_skew_corrected: (_, detail) => `The client's clock is ${clockText(detail)}`,
  timestamp_moved: (_, detail) => `Moved by ${detail}, the time from sending to arrival`,
  timestamp_kept: "Kept from the client's timestamp",
  sent_at_of_batch: 'From the batch; measures the clock',
  received_at: 'Set when the request arrived',
  merged_from_batch: (top) => `Merged from the ${top} of the batch`,
  ip_of_connection: "The address of the connection, since the library runs on the user's device",
  empty_array_to_object: 'An empty array counts as an empty object',
  number_form: 'JavaScript writes this number so',
  number_changed: 'It has more digits than a double holds',
  number_lost: 'No double is that large, so it becomes null',
  not_documented: 'Not in the documented body',
  not_in_delete: 'Not in the body of a delete notice',
  user_id_sent: 'The call has a userId, which is sent',
  empty_left_out: 'Empty values are left out',
  alias_name: (top) =>
    /previous/i.test(top) ? 'An alias sends previousId as Previous ID' : 'An alias sends userId as User ID',
  destination_version: 'Added by the destination',
  context_always: 'Every delivered call has a context',
  routing: 'Used for routing only',
  routing_all: (_, key) => `${key} counts as All`,
  routing_near_miss: (_, key) => `${key} does nothing, because the name is Webhooks`,
  unexplained: 'No rule of this version makes this change',
};

/** `−12.511 s` is what was added to the client's time. */
const clockText = (moved: string): string =>
  `${moved.replace(/^[+\u2212]/, '')} ${moved.startsWith('\u2212') ? 'ahead' : 'behind'}`;

function reasonText({ code, detail = '' }: ChangeReasonView, top: string): string {
  const text = TEXTS[code];
  return typeof text === 'string' ? text : text(top, detail);
}

/** All reasons of a field in one line, each once: `UTC; the client's clock is 12.000 s ahead`. */
export function whyText(cells: readonly Pick<CellView, 'reasons'>[], top: string): string {
  const texts = new Set(cells.flatMap(({ reasons }) => reasons.map((reason) => reasonText(reason, top))));
  return [...texts].map((text, at) => (at === 0 ? text : lowerFirst(text))).join('; ');
}

/** Names in capitals keep them: UTC, JavaScript. */
const lowerFirst = (text: string): string =>
  /^(?:[A-Z]{2}|JavaScript)/.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
