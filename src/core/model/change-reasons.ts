/**
 * Why a field of a call changed: each reason is tied to the rule that made the change (normalise.ts, body.ts), and is
 * given only where that rule was at work.
 */
import { idText, isEmptyArray, isJsonObject } from './call.ts';
import { digits } from './json-findings.ts';
import type { Note } from './message.ts';
import type { NormalCall } from './normalise.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import { type BatchFields, clientTimeOf } from './validate.ts';
import type { CallType, ChangeKind, ChangeReason } from './vocabulary.ts';
import { jsonText, writtenNumber } from './written-json.ts';

export interface Reason {
  readonly code: ChangeReason;
  readonly detail?: string;
}

/** The facts of a call beside its three forms. */
export interface CallFacts {
  readonly normal: NormalCall;
  /** What its batch says for all calls; null for a single call. */
  readonly batch: (BatchFields & { readonly sentAt: number | null }) | null;
  /** The notes that are stored with the message. */
  readonly notes: readonly Note[];
  readonly shape: 'documented' | 'pass-through';
}

/**
 * The shape of a delivered body. It is read from the body, because the rules may have changed since: only the whole
 * message has a messageId.
 */
export function bodyShapeOf(delivered: string | null): CallFacts['shape'] {
  const body: unknown = delivered === null ? null : JSON.parse(delivered);
  return isJsonObject(body) && Object.hasOwn(body, 'messageId') ? 'pass-through' : 'documented';
}

export interface Change {
  readonly path: readonly string[];
  readonly change: ChangeKind;
  /** Undefined where the form does not have the field. */
  readonly before: unknown;
  readonly after: unknown;
  /** Which form changed: 1 is the normalised call, 2 the delivered body. */
  readonly form: number;
}

/** At least one. */
export function reasonsOf(change: Change, facts: CallFacts): readonly Reason[] {
  const found = change.form === 1 ? normalising(change, facts) : delivering(change, facts);
  return found.length > 0 ? found : [{ code: 'unexplained' }];
}

type Rule = (change: Change, facts: CallFacts) => readonly Reason[];

const because = (code: ChangeReason, detail?: string): readonly Reason[] => [
  detail === undefined ? { code } : { code, detail },
];
const NO_REASON: readonly Reason[] = [];
const when = (holds: boolean, code: ChangeReason): readonly Reason[] => (holds ? because(code) : NO_REASON);

// The normalised call.

function normalising(change: Change, facts: CallFacts): readonly Reason[] {
  const rule = change.path.length === 1 ? NORMALISING.get(change.path[0]!) : undefined;
  const found = rule?.(change, facts) ?? NO_REASON;
  if (found.length > 0) return found;
  const merged = mergeReasons(change, facts);
  return merged.length > 0 ? merged : numberReasons(change);
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || writtenNumber(value) !== null;

const idReasons: Rule = ({ before, after }) =>
  when(isNumber(before) && typeof after === 'string', 'id_number_to_string');

const messageIdReasons: Rule = (change, facts) => {
  const assigned = facts.normal.notes.some(({ code }) => code === 'message_id_assigned');
  return assigned ? because('message_id_assigned') : idReasons(change, facts);
};

const timestampReasons: Rule = ({ before, after }, { normal }) => {
  const given = clientTimeOf(normal.call);
  if (given === null) return because('timestamp_missing');
  const moved = normal.notes.find(({ code }) => code === 'clock_skew_corrected' || code === 'timestamp_moved');
  const other = before === undefined || before === null ? because('original_timestamp') : NO_REASON;
  const form = moved === undefined && given === after ? NO_REASON : formReasons(given);
  return [...other, ...form, ...(moved === undefined ? NO_REASON : because(moved.code as ChangeReason, moved.detail))];
};

/** Of a client's time that is not written as times are here. */
function formReasons(given: unknown): readonly Reason[] {
  if (typeof given !== 'string') return NO_REASON;
  const at = parseTimestamp(given);
  if (at === null || formatTimestamp(at) === given) return NO_REASON;
  return because(/z$/i.test(given) ? 'time_millisecond' : 'time_utc');
}

const sentAtReasons: Rule = ({ before }, { batch }) =>
  batch !== null && batch.sentAt !== null ? because('sent_at_of_batch') : formReasons(before);

const emptyArrayReasons: Rule = ({ before }) => when(isEmptyArray(before), 'empty_array_to_object');

const contextReasons: Rule = (change, facts) => {
  const { batch, normal } = facts;
  const under = isJsonObject(batch?.context) ? batch.context : null;
  return [
    ...emptyArrayReasons(change, facts),
    ...when(under !== null, 'merged_from_batch'),
    ...when(under !== null && hasAddress(normal.context) && !hasAddress(under), 'ip_of_connection'),
  ];
};

const hasAddress = (context: unknown): boolean =>
  isJsonObject(context) && context.ip !== undefined && context.ip !== null;

const integrationsReasons: Rule = (change, facts) => [
  ...emptyArrayReasons(change, facts),
  ...when(isJsonObject(facts.batch?.integrations), 'merged_from_batch'),
];

const NORMALISING: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['writeKey', ({ change }) => when(change === 'left_out', 'write_key')],
  ['type', (_, { normal }) => when(normal.type !== null, 'path_type')],
  ['messageId', messageIdReasons],
  ['userId', idReasons],
  ['anonymousId', idReasons],
  ['groupId', idReasons],
  ['previousId', idReasons],
  ['timestamp', timestampReasons],
  ['originalTimestamp', () => because('timestamp_kept')],
  ['sentAt', sentAtReasons],
  ['receivedAt', () => because('received_at')],
  ['context', contextReasons],
  ['integrations', integrationsReasons],
  ['properties', emptyArrayReasons],
  ['traits', emptyArrayReasons],
]);

/** Of one key of `context` or `integrations`. */
function mergeReasons({ path, change, before, after }: Change, { batch }: CallFacts): readonly Reason[] {
  const [top, key, deeper] = path;
  if (key === undefined || deeper !== undefined || (top !== 'context' && top !== 'integrations')) return NO_REASON;
  const under = batch?.[top];
  const isFilled = top === 'context' && key === 'ip' && (before === undefined || before === null) && after !== null;
  if (isFilled && !(change === 'added' && hasAddress(under))) return because('ip_of_connection');
  return when(change === 'added' && isJsonObject(under) && Object.hasOwn(under, key), 'merged_from_batch');
}

/** Of a value in which nothing but the writing of numbers changed. */
function numberReasons({ before, after }: Change): readonly Reason[] {
  if (before === undefined || after === undefined) return NO_REASON;
  if (JSON.stringify(JSON.parse(jsonText(before))) !== JSON.stringify(after)) return NO_REASON;
  return [...new Set(writtenNumbers(before).map(codeOfNumber))].map((code) => ({ code }));
}

function writtenNumbers(value: unknown): string[] {
  const written = writtenNumber(value);
  if (written !== null) return [written];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(writtenNumbers) : [];
}

function codeOfNumber(written: string): ChangeReason {
  const value = Number(written);
  if (!Number.isFinite(value)) return 'number_lost';
  return digits(written) === digits(String(value)) ? 'number_form' : 'number_changed';
}

// The delivered body.

function delivering(change: Change, facts: CallFacts): readonly Reason[] {
  const { type } = facts.normal;
  if (type === 'delete') return when(change.change === 'left_out', 'not_in_delete');
  if (facts.shape === 'pass-through' || type === null) return NO_REASON;
  const top = change.path[0]!;
  const rule = DELIVERING.get(top);
  if (rule !== undefined) return rule(change, facts);
  if (change.change !== 'left_out') return NO_REASON;
  return because(BODY_FIELDS[type].includes(top) && isEmpty(change.before) ? 'empty_left_out' : 'not_documented');
}

const isEmpty = (value: unknown): boolean => value === null || value === '';

/** The fields that a type's documented body takes from the call as they are. */
const BODY_FIELDS: Readonly<Record<Exclude<CallType, 'delete'>, readonly string[]>> = {
  track: ['event', 'properties'],
  identify: ['traits'],
  page: ['properties', 'name', 'category'],
  screen: ['properties', 'name'],
  group: ['groupId', 'traits'],
  alias: [],
};

const isAlias = ({ normal }: CallFacts): boolean => normal.type === 'alias';

const leftOut =
  (code: ChangeReason): Rule =>
  ({ change }) =>
    when(change === 'left_out', code);

const DELIVERING: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['version', () => because('destination_version')],
  [
    'userId',
    ({ before }, facts) => (idText(before) === null ? because('empty_left_out') : when(isAlias(facts), 'alias_name')),
  ],
  ['anonymousId', (_, { normal }) => because(normal.userId === null ? 'empty_left_out' : 'user_id_sent')],
  ['previousId', (change, facts) => leftOut(isAlias(facts) ? 'alias_name' : 'not_documented')(change, facts)],
  ['User ID', aliasNameReasons],
  ['Previous ID', aliasNameReasons],
  ['context', (_, { normal }) => (normal.context === null ? because('context_always') : NO_REASON)],
  ['integrations', routingReasons],
]);

function aliasNameReasons({ change }: Change, facts: CallFacts): readonly Reason[] {
  return change === 'left_out' ? because('not_documented') : when(isAlias(facts), 'alias_name');
}

/** Selection reads two keys in a way that surprises, and notes it (selection.ts). */
function routingReasons({ path, change }: Change, { notes }: CallFacts): readonly Reason[] {
  if (change !== 'left_out') return NO_REASON;
  const key = path[1];
  const noted = (code: Note['code'], as: ChangeReason): readonly Reason[] => {
    const field = notes.find((note) => note.code === code)?.field?.replace(/^integrations\./, '');
    return field === undefined || (key !== undefined && key !== field) ? NO_REASON : because(as, field);
  };
  return [
    ...noted('integrations_lower_case_all', 'routing_all'),
    ...noted('integrations_near_miss', 'routing_near_miss'),
    ...because('routing'),
  ];
}
