/** The texts allowed on a channel: a call of a function, or the answer to one, as birpc writes them. */

/** A call of the one function that a side offers. */
export interface CallText {
  readonly t: 'q';
  readonly i: string;
  readonly m: string;
  readonly a: readonly unknown[];
}
export interface AnswerText {
  readonly t: 's';
  readonly i: string;
  readonly r?: unknown;
  readonly e?: unknown;
}

export type TextProblem = 'not_text' | 'not_json' | 'not_a_call';

/** birpc's ids have 21 characters. */
const MAX_ID = 100;

const isId = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= MAX_ID;

/**
 * Reads a text from a channel. birpc would look up any function name, including those that every object has, and throws
 * uncaught when a text is not an object. So only valid texts reach it.
 */
export function readText(text: unknown, offered: string, args: number): CallText | AnswerText | TextProblem {
  if (typeof text !== 'string') return 'not_text';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not_json';
  }
  if (typeof value !== 'object' || value === null) return 'not_a_call';
  const { t, i, m, a } = value as Record<string, unknown>;
  if (!isId(i)) return 'not_a_call';
  const isCall = t === 'q' && m === offered && Array.isArray(a) && a.length === args;
  return isCall || t === 's' ? (value as CallText | AnswerText) : 'not_a_call';
}
