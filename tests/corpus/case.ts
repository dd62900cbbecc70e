/** One case of the corpus: the bytes that a client sends, and what must come of them. */

export interface ExpectedMessage {
  readonly state: 'queued' | 'not_selected' | 'rejected';
  /** Null for a queued one. */
  readonly reason: string | null;
  /** Part of the words beside the reason. */
  readonly detail?: string;
  readonly type?: string;
  readonly userId?: string | null;
  readonly messageId?: string;
  /** Codes of its notes in their order; none when left out. */
  readonly notes?: readonly string[];
  /** Part of the delivered body (of the documented shape). */
  readonly wire?: string;
  /** How often it has come again. */
  readonly repeats?: number;
}

export interface ExpectedAnswer {
  /** 0: the connection ends without an answer. */
  readonly status: number;
  readonly code: string | null;
}

export interface CorpusCase extends ExpectedAnswer {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Part of the answer's message. */
  readonly says?: string;
  /** The rows that it adds, in their order. */
  readonly messages: readonly ExpectedMessage[];
  /** The answer in strict mode where the rule of {@link strictAnswer} does not say it. */
  readonly strict?: ExpectedAnswer;
  /** Whether the server ends the connection afterwards; when left out it must stay open. */
  readonly closes?: boolean;
  /** Headers that the answer must have (lower-case names); null: must not have. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface Topic {
  readonly topic: string;
  readonly cases: readonly CorpusCase[];
}

export type Mode = 'segment' | 'strict';

/** Strict mode: 401 for a key without a usable source, 400 for the first call that fails (decisions, Ingest). */
export function strictAnswer(one: CorpusCase): ExpectedAnswer {
  if (one.strict !== undefined) return one.strict;
  if (one.status !== 200) return { status: one.status, code: one.code };
  const rejected = one.messages.filter(({ state }) => state === 'rejected');
  const refused = rejected.find(({ reason }) => reason === 'unknown_source' || reason === 'source_disabled');
  if (refused !== undefined) return { status: 401, code: refused.reason };
  const [first] = rejected;
  return first === undefined ? { status: 200, code: null } : { status: 400, code: first.reason };
}

export const answerIn = (mode: Mode, one: CorpusCase): ExpectedAnswer =>
  mode === 'strict' ? strictAnswer(one) : { status: one.status, code: one.code };
