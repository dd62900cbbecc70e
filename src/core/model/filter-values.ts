/** What one value of each key may be. */

import { asWritten, type FilterKey, filterGrammar, HOOK_RESULTS, VALUE_ALIASES } from './filter-grammar.ts';
import { starsIn } from './filter-pattern.ts';
import { FILTER_LIMITS, type HookTried, type WholeId } from './filter-terms.ts';
import type { Value } from './filter-text.ts';
import { readTime } from './filter-time.ts';
import { MARKS, MESSAGE_STATES, MESSAGE_TYPES } from './vocabulary.ts';

/** The sources and the time that turn names and words of a filter into ids and times. */
export interface FilterContext {
  /** For `source:`. */
  readonly sources: ReadonlyArray<{ readonly id: number; readonly name: string }>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Several for a name that several sources have. */
export type ReadValue<V> = readonly V[] | 'begun' | { readonly problem: string };
type Reader = (value: Value, context: FilterContext) => ReadValue<string | number | HookTried | WholeId>;

const startsAny = (names: readonly string[], start: string): boolean => names.some((name) => name.startsWith(start));

/** The error for a key without a usable value. */
export const needsText = (key: FilterKey): string => `${key}: needs ${filterGrammar[key].needs}.`;

/** One of a list of names, `_` written as `-`. */
function named(key: FilterKey, names: readonly string[], needs: string): Reader {
  return ({ plain }) => {
    const typed = plain.toLowerCase().replaceAll('-', '_');
    const wanted = VALUE_ALIASES[key]?.[typed] ?? typed;
    if (names.includes(wanted)) return [wanted];
    if (startsAny(names, wanted)) return 'begun';
    return { problem: `There is no ${key}:${asWritten(typed)}. It is ${needs}.` };
  };
}

function code(key: 'note' | 'reason'): Reader {
  return ({ plain }) => {
    const wanted = plain.toLowerCase().replaceAll('-', '_');
    if (/^[a-z][a-z_]{0,58}$/.test(wanted)) return [wanted];
    const { needs, example } = filterGrammar[key];
    return { problem: `${key}: needs ${needs}, such as ${example.slice(key.length + 1)}.` };
  };
}

/** `#7` is the source with the id 7, which may be gone. */
const source: Reader = ({ plain }, { sources }) => {
  const id = /^#(\d{1,15})$/.exec(plain)?.[1];
  if (id !== undefined) return [Number(id)];
  const wanted = plain.toLowerCase();
  const found = sources.filter(({ name }) => name.toLowerCase() === wanted);
  if (found.length > 0) return found.map((one) => one.id);
  if (sources.some(({ name }) => name.toLowerCase().startsWith(wanted))) return 'begun';
  return { problem: `There is no source ${plain}.` };
};

const status: Reader = ({ plain }) => {
  const wanted = plain.toLowerCase();
  if (/^[1-5](\d\d|xx)$/.test(wanted)) return [wanted];
  return /^[1-5](\d|x)?$/.test(wanted) ? 'begun' : { problem: needsText('code') };
};

const hook: Reader = ({ plain }) => {
  const [, slot, equals, result = ''] = /^([1-5])(?:(=)(.*))?$/.exec(plain.toLowerCase()) ?? [];
  if (slot === undefined) return { problem: needsText('hook') };
  if (equals === undefined) return [{ slot: Number(slot) }];
  const name = asWritten(result);
  const cell = Object.hasOwn(HOOK_RESULTS, name) ? HOOK_RESULTS[name] : undefined;
  if (cell !== undefined) return [{ slot: Number(slot), cell }];
  const known = Object.keys(HOOK_RESULTS);
  return startsAny(known, name)
    ? 'begun'
    : { problem: `There is no result ${name}. It is one of ${known.join(', ')}.` };
};

/** The problem of a pattern, or null. */
export const patternProblem = (key: string, pattern: string): string | null =>
  starsIn(pattern) > FILTER_LIMITS.stars ? `${key} takes at most ${FILTER_LIMITS.stars} *.` : null;

function pattern(key: 'user' | 'event'): Reader {
  return ({ pattern: wanted }) => {
    const problem = patternProblem(`${key}:`, wanted);
    return problem === null ? [wanted] : { problem };
  };
}

const partOfId = pattern('user');

/** `=` in front: the whole id. */
const user: Reader = (value, context) => {
  if (value.exact === null) return partOfId(value, context);
  return value.exact === '' ? 'begun' : [{ id: value.exact }];
};

/** `250ms`, `1s`, `1.5s`. */
const span: Reader = ({ plain }) => {
  const [, count, unit] = /^(\d{1,5}(?:\.\d{1,3})?)(ms|s)$/.exec(plain.toLowerCase()) ?? [];
  if (count !== undefined) return [Math.round(Number(count) * (unit === 's' ? 1_000 : 1))];
  return /^\d{1,5}(\.\d{0,3})?m?$/.test(plain.toLowerCase()) ? 'begun' : { problem: needsText('took') };
};

function time(key: 'after' | 'before'): Reader {
  return ({ plain }, { now }) => {
    const at = readTime(plain, now);
    return at === null ? { problem: needsText(key) } : at === 'begun' ? at : [at];
  };
}

export const valueReaders: Readonly<Record<FilterKey, Reader>> = {
  type: named('type', MESSAGE_TYPES, filterGrammar.type.needs),
  status: named('status', MESSAGE_STATES, `one of ${MESSAGE_STATES.map(asWritten).join(', ')}`),
  source,
  user,
  event: pattern('event'),
  hook,
  code: status,
  took: span,
  is: named('is', MARKS, filterGrammar.is.needs),
  note: code('note'),
  reason: code('reason'),
  after: time('after'),
  before: time('before'),
};
