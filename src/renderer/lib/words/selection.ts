/** Why a message was not selected, and the notes on an accepted call. */
import type { NoteView } from '../../../contract/values.ts';

/** Why a message was not selected for Webhooks. */
export function notSelectedText(
  reason: string | null,
  sourceName: string | null,
  notes: readonly NoteView[] = [],
): string {
  const miss = notes.find((note) => note.code === 'integrations_near_miss');
  switch (reason) {
    case 'integrations_off':
      return 'Not selected. integrations turns Webhooks off for this message.';
    case 'integrations_all_off':
      return miss === undefined
        ? 'Not selected. integrations turns All off, and no key Webhooks turns it on.'
        : `Not selected. The integrations key is "${sentKey(miss)}"; the name is case sensitive: Webhooks.`;
    case 'destination_off':
      return 'Not selected. The Webhooks destination is off.';
    case 'source_destination_off':
      return `Not selected. The source ${sourceName ?? 'of this message'} has the destination off.`;
    case 'event_off':
      return `Not selected. The source ${sourceName ?? 'of this message'} has this event switched off.`;
    case 'no_webhook':
      return 'Not selected. There was no webhook when this message arrived.';
    case 'imported':
      return 'Not selected. It was imported from a file, to be kept and not delivered.';
    default:
      return `Not selected.${reason === null ? '' : ` Reason: ${reason}.`}`;
  }
}

/** The key of `integrations` that a note is about, as it was sent. The note's `detail` is the key that counts. */
const sentKey = ({ field = '' }: NoteView): string => field.replace(/^integrations\./, '');

const NOTE_TEXTS: Record<string, (note: NoteView) => string> = {
  id_number_to_string: (note) => `${note.field ?? 'An id'} came as a number and was turned into a string.`,
  integrations_lower_case_all: (note) => `integrations.${sentKey(note)} was read as integrations.All.`,
  integrations_near_miss: (note) =>
    `The integrations key "${sentKey(note)}" does nothing; the name is case sensitive: Webhooks.`,
  clock_skew_corrected: (note) =>
    `The timestamp was corrected for the client's clock${note.detail === undefined ? '' : ` (${note.detail})`}.`,
  timestamp_moved: (note) =>
    `The timestamp was moved by the time from sending to arrival${note.detail === undefined ? '' : ` (${note.detail})`}, as Segment does.`,
  empty_array_to_object: (note) => `${note.field ?? 'A field'} came as an empty array and was read as an empty object.`,
  timestamp_missing: () => 'The call had no timestamp; the time of arrival is used.',
  message_id_assigned: () => 'The call had no messageId; one was assigned.',
  duplicate_key: (note) => `The key ${note.field ?? ''} ${note.detail ?? 'came more than once'}.`,
  number_lost: (note) => `A number was lost at ${note.field ?? 'the body'}: ${note.detail ?? ''}.`,
  number_changed: (note) => `A number changed at ${note.field ?? 'the body'}: ${note.detail ?? ''}.`,
  numbers_rewritten: (note) => `Numbers are written differently from how they were sent: ${note.detail ?? ''}.`,
  integer_keys_moved: (note) => `The key ${note.field ?? ''} ${note.detail ?? 'is sent before the others'}.`,
};

/** A note on an accepted call. */
export const noteText = (note: NoteView): string =>
  NOTE_TEXTS[note.code]?.(note) ?? [note.code, note.field, note.detail].filter(Boolean).join(', ');
