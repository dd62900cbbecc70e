/** Every error of the client library, by name and code. docs/client.md lists them; a test compares. */

/** Why a call was refused. Where ingest refuses for the same reason, it uses the same code. */
export const callErrorCodes = [
  'not_an_object',
  'unknown_field',
  'id_not_string',
  'message_id_too_long',
  'no_user_anon_id',
  'user_id_required',
  'event_not_defined',
  'event_not_string',
  'group_id_required',
  'previous_id_required',
  'name_not_string',
  'category_not_string',
  'traits_not_object',
  'properties_not_object',
  'context_not_object',
  'integrations_not_object',
  'bad_timestamp',
  'not_serialisable',
  'too_deep',
  'call_too_large',
  'queue_full',
  'client_closed',
] as const;
export type CallErrorCode = (typeof callErrorCodes)[number];

/**
 * A call that was refused: it is not queued and never sent. Returned by the call, never thrown
 * (client specification, sections 2.2 and 8).
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: CallErrorCode;
  /** The field at fault, if it is a single one. */
  readonly field: string | null;

  constructor(code: CallErrorCode, message: string, field: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.field = field;
  }
}

/**
 * Why accepted messages were lost: `rejected`, the server answered with a status that is not retried;
 * `retries_exhausted`, the last try failed as well; `closed`, the time given to `close` ran out.
 */
export const lossCodes = ['rejected', 'retries_exhausted', 'closed'] as const;
export type LossCode = (typeof lossCodes)[number];

/** A message as it is sent. */
export interface WireMessage {
  readonly type: string;
  readonly messageId: string;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

export interface LossDetails {
  readonly tries: number;
  readonly status: number | null;
  readonly answer: string | null;
  readonly cause?: unknown;
}

/** Messages that were accepted and then lost, with the reason. Given to `onError` and to `flush` and `close`. */
export class LossError extends Error {
  override readonly name = 'LossError';
  readonly code: LossCode;
  /** How many messages. */
  readonly count: number;
  /** How many requests were made for them; 0 when there was no time for one. */
  readonly tries: number;
  /** The status of the last answer; null when the last try got none. */
  readonly status: number | null;
  /** The first 1,000 characters of the last answer; null when there was none. */
  readonly answer: string | null;
  readonly #calls: readonly string[];
  #messages: readonly WireMessage[] | null = null;

  constructor(code: LossCode, message: string, calls: readonly string[], details: LossDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.count = calls.length;
    this.tries = details.tries;
    this.status = details.status;
    this.answer = details.answer;
    this.#calls = calls;
  }

  /** The lost messages in their order. Parsed when first asked for. */
  get messages(): readonly WireMessage[] {
    this.#messages ??= this.#calls.map((call) => JSON.parse(call) as WireMessage);
    return this.#messages;
  }
}

/** An option that cannot be used. Thrown by `new Client`, so that a mistake shows when the program starts. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly code = 'invalid_option';
  readonly option: string;

  constructor(option: string, message: string) {
    super(message);
    this.option = option;
  }
}
