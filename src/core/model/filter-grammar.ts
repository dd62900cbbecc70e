/** The words of the filter language as data: help, suggestions, the reader and the printer are made of it. */
import { type Cell, MARKS, MESSAGE_STATES, MESSAGE_TYPES, NOTE_CODES, REJECT_REASONS } from './vocabulary.ts';

/** Keys as written, in the order of help and suggestions. */
export const FILTER_KEYS = [
  'type',
  'status',
  'source',
  'user',
  'event',
  'hook',
  'code',
  'took',
  'is',
  'note',
  'reason',
  'after',
  'before',
] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

export const isFilterKey = (key: string): key is FilterKey => (FILTER_KEYS as readonly string[]).includes(key);

/** Names of a webhook's results, and the cell of each. */
export const HOOK_RESULTS: Readonly<Record<string, Cell>> = {
  accepted: 'a',
  failed: 'f',
  timeout: 't',
  'no-connection': 'n',
  refused: 'r',
  declined: 'd',
  redirect: 'm',
  throttled: 'l',
  interrupted: 'i',
  sending: 's',
  waiting: 'w',
  'not-needed': 'x',
  paused: 'p',
  'not-tried': '.',
};

/** A code or a state as it is written: `not-selected`. */
export const asWritten = (code: string): string => code.replaceAll('_', '-');

/** Other names of values. */
export const VALUE_ALIASES: Readonly<Partial<Record<FilterKey, Readonly<Record<string, string>>>>> = {
  is: { replay: 'replayed' },
};

interface KeyGrammar {
  /** What must follow the key, as a part of a sentence. */
  readonly needs: string;
  readonly example: string;
  /** One line of help. */
  readonly help: string;
  /** All values, as written, where there is a list. */
  readonly values?: readonly string[];
}

export const filterGrammar: Readonly<Record<FilterKey, KeyGrammar>> = {
  type: {
    needs: `a call: ${MESSAGE_TYPES.join(', ')}`,
    example: 'type:track',
    help: 'the kind of call; type:track,page for either',
    values: MESSAGE_TYPES,
  },
  status: {
    needs: 'a state, such as retrying',
    example: 'status:retrying',
    help: 'the state of the message',
    values: MESSAGE_STATES.map(asWritten),
  },
  source: { needs: 'the name of a source', example: 'source:checkout-api', help: 'the source, by its whole name' },
  user: {
    needs: 'a user id',
    example: 'user:8f21',
    help: 'a part of the user id or anonymous id; user:=8f21 for the whole id',
  },
  event: {
    needs: 'a name: event:"Order Completed", or event:Order* for all that begin so',
    example: 'event:"Order Completed"',
    help: 'quotes keep spaces; * matches any text',
  },
  hook: {
    needs: 'a webhook: hook:3, or hook:3=timeout for its last result',
    example: 'hook:3',
    help: 'a webhook; hook:3=timeout for its last result',
  },
  code: {
    needs: 'a status: code:503, or code:5xx for all of them',
    example: 'code:503',
    help: 'an answer of any attempt; code:5xx for all of them',
  },
  took: {
    needs: 'how long: took:1s, or took:250ms',
    example: 'took:1s',
    help: 'an answer of any attempt took so long or longer',
  },
  is: {
    needs: 'dropped, noted, repeated or replayed',
    example: 'is:dropped',
    help: 'dropped with 200, noted, repeated or replayed',
    values: MARKS,
  },
  note: {
    needs: 'the code of a note',
    example: 'note:duplicate-key',
    help: 'the code of a note',
    values: NOTE_CODES.map(asWritten),
  },
  reason: {
    needs: 'the code of a reason',
    example: 'reason:no-user-anon-id',
    help: 'why it was rejected or not selected',
    values: REJECT_REASONS.map(asWritten),
  },
  after: {
    needs: 'a time: after:14:32, after:2026-01-31, after:10m for ten minutes ago',
    example: 'after:10m',
    help: 'received then or later: 14:32, 2026-01-31, 10m ago',
  },
  before: {
    needs: 'a time: before:14:32, before:2026-01-31, before:10m for ten minutes ago',
    example: 'before:14:32',
    help: 'received earlier than that',
  },
};

/** Help for fields, which have a path in the place of a key. */
export const fieldGrammar = {
  example: 'properties.total>100',
  help: 'any field of the body, with = != > < and *',
} as const;

/** The first part of a path. */
const PATH_ROOTS = ['properties', 'traits', 'context', 'integrations'] as const;
/** Fields of the body that stand alone. */
const TOP_FIELDS = [
  'messageId',
  'userId',
  'anonymousId',
  'groupId',
  'previousId',
  'name',
  'category',
  'channel',
  'version',
  'timestamp',
  'originalTimestamp',
  'sentAt',
  'receivedAt',
] as const;

/** The characters of a path, so that it needs no quotes. */
export const PATH_PATTERN = /^[^\s":=!<>,]+$/;

export function isFieldPath(path: string): boolean {
  const [root = '', ...rest] = path.split('.');
  if ((TOP_FIELDS as readonly string[]).includes(path)) return true;
  return (PATH_ROOTS as readonly string[]).includes(root) && rest.length > 0 && rest.every((part) => part !== '');
}

/** Beginnings of terms; a mistyped one probably stands for the nearest of them. */
export const KNOWN_HEADS: readonly string[] = [
  ...FILTER_KEYS.map((key) => `${key}:`),
  ...PATH_ROOTS.map((root) => `${root}.`),
  ...TOP_FIELDS.map((field) => `${field}:`),
];
