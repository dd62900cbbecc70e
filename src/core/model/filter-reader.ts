/**
 * From text to a filter: free words, and tokens such as `type:track`, `-user:"Ada L"` or `properties.total>100`. An
 * unreadable token is reported and never silently searched as text.
 */
import {
  type FilterKey,
  filterGrammar,
  isFieldPath,
  isFilterKey,
  KNOWN_HEADS,
  PATH_PATTERN,
} from './filter-grammar.ts';
import { distance } from './filter-near-key.ts';
import { FILTER_LIMITS, type FieldOp, type ListFilter, type Term } from './filter-terms.ts';
import { unquoted, type Value, valuesOf, type Word, wordsOf } from './filter-text.ts';
import { type FilterContext, needsText, patternProblem, type ReadValue, valueReaders } from './filter-values.ts';

export type { FilterContext } from './filter-values.ts';

/** A word of the text. With neither a term nor a problem it is only begun, or empty. */
export interface ReadWord extends Word {
  readonly term: Term | null;
  readonly problem: string | null;
}

export interface FilterProblem {
  /** Names what is unreadable, and how to fix it. */
  readonly text: string;
  /** Its place in the text. */
  readonly from: number;
  readonly to: number;
}

export interface FilterReading {
  readonly words: readonly ReadWord[];
  /** Every readable term. */
  readonly filter: ListFilter;
  /** The first problem. Null when everything is readable. */
  readonly problem: FilterProblem | null;
}

type ReadTerm = Term | 'begun' | { readonly problem: string };

/** `done`: typing has ended, so a token that is only begun is a problem too. */
export function readFilter(text: string, context: FilterContext, { done = false } = {}): FilterReading {
  const found = wordsOf(text);
  const open = done || /\s$/.test(text) ? -1 : found.length - 1;
  const words = found.map((word, i) => readWord(word, i === open, context));
  const terms = words.flatMap(({ term }) => term ?? []);
  const wrong = words.find(({ problem }) => problem !== null);
  const problem = wrong === undefined ? tooMany(terms, text) : { text: wrong.problem!, from: wrong.from, to: wrong.to };
  return { words, filter: terms.length === 0 ? {} : { terms }, problem };
}

const tooMany = (terms: readonly Term[], text: string): FilterProblem | null =>
  terms.length <= FILTER_LIMITS.terms
    ? null
    : { text: `A filter has at most ${FILTER_LIMITS.terms} parts.`, from: 0, to: text.length };

function readWord(word: Word, isOpen: boolean, context: FilterContext): ReadWord {
  const token = tokenOf(word.text);
  const read = readToken(token, isOpen, context);
  if (read === 'begun') {
    const needs = isOpen || token.kind === 'text' ? null : needsOf(token);
    return { ...word, term: null, problem: needs };
  }
  if ('problem' in read) return { ...word, term: null, problem: read.problem };
  const problem = limitProblem(read);
  return { ...word, term: problem === null ? read : null, problem };
}

type Token = { readonly not: boolean } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly key: FilterKey; readonly value: string }
  | { readonly kind: 'field'; readonly path: string; readonly op: FieldOp; readonly value: string }
  | { readonly kind: 'unknown'; readonly head: string }
);

function tokenOf(word: string): Token {
  const [, minus, head = '', sign = '', value = ''] =
    /^(-?)([^\s":=!<>,]+)(!=|>=|<=|[:=<>])([\s\S]*)$/.exec(word) ?? [];
  const not = minus === '-';
  const text: Token = word.startsWith('-')
    ? { kind: 'text', not: true, text: word.slice(1) }
    : { kind: 'text', not, text: word };
  if (head === '' || (sign === ':' && value.startsWith('//'))) return text;
  const key = head.toLowerCase();
  if (sign === ':' && isFilterKey(key)) return { kind: 'key', not, key, value };
  if (isFieldPath(head)) return { kind: 'field', not, path: head, op: sign === ':' ? '=' : (sign as FieldOp), value };
  const isNear = head.includes('.') && nearHead(`${head.split('.')[0]}.`) !== undefined;
  return (sign === ':' && /^[a-z][a-z._]*$/i.test(head)) || isNear ? { kind: 'unknown', not, head } : text;
}

function readToken(token: Token, isOpen: boolean, context: FilterContext): ReadTerm {
  const not = token.not ? { not: true } : {};
  switch (token.kind) {
    case 'unknown':
      return { problem: unknownHead(token.head) };
    case 'text': {
      const text = unquoted(token.text);
      if (text !== '') return { key: 'text', values: [text], ...not };
      return token.not && token.text === '' && !isOpen ? { key: 'text', values: ['-'] } : 'begun';
    }
    case 'key': {
      const values = readValues(valuesOf(token.value), (value) => valueReaders[token.key](value, context));
      if (typeof values !== 'object' || 'problem' in values) return values;
      if ((token.key === 'after' || token.key === 'before') && values.length > 1)
        return { problem: `${token.key}: takes one time.` };
      return { key: token.key, values, ...not } as Term;
    }
    case 'field':
      return readField(token, not);
  }
}

function readField({ path, op, value }: Extract<Token, { kind: 'field' }>, not: { readonly not?: boolean }): ReadTerm {
  const given = valuesOf(value);
  if (op === '=' || op === '!=') {
    const values = readValues(given, ({ pattern }) => {
      const problem = patternProblem(path, pattern);
      return problem === null ? [pattern] : { problem };
    });
    return typeof values === 'object' && !('problem' in values) ? { key: 'field', path, op, values, ...not } : values;
  }
  if (given.length > 1) return { problem: `${path}${op} takes one value.` };
  const [{ plain } = { plain: '' }] = given;
  return plain === '' ? 'begun' : { key: 'field', path, op, values: [plain], ...not };
}

/** Empty places between commas are left out. Only the last value may be begun. */
function readValues<V>(given: readonly Value[], read: (value: Value) => ReadValue<V>): ReadValue<V> {
  const values: V[] = [];
  const there = given.filter(({ plain, quoted }) => plain !== '' || quoted);
  for (const value of there) {
    const one = read(value);
    if (one === 'begun' || 'problem' in one) return one as 'begun' | { problem: string };
    values.push(...one.filter((item) => !values.includes(item)));
  }
  return values.length === 0 ? 'begun' : values;
}

function needsOf(token: Exclude<Token, { kind: 'text' }>): string {
  if (token.kind === 'key') return needsText(token.key);
  const head = token.kind === 'field' ? `${token.path}${token.op}` : token.head;
  return `${head} needs a value.`;
}

/** `head` ends as it must: with a colon or a dot. */
const nearHead = (head: string): string | undefined =>
  KNOWN_HEADS.find((known) => known.at(-1) === head.at(-1) && distance(head.toLowerCase(), known.toLowerCase()) <= 1);

function unknownHead(head: string): string {
  const [root = head] = head.split('.');
  const near = nearHead(head.includes('.') ? `${root}.` : `${head}:`);
  const help = near === undefined ? 'Put it in quotes to search for it as text.' : `Did you mean ${near}?`;
  return head.includes('.') ? `There is no field ${head}. ${help}` : `There is no filter ${head}:. ${help}`;
}

/** Says which part of the text is too long for the engine. */
function limitProblem(term: Term): string | null {
  const { values, characters, path, id } = FILTER_LIMITS;
  if (term.values.length > values) return `${term.key}: takes at most ${values} values.`;
  const isLong = (value: unknown) => typeof value === 'string' && value.length > characters;
  if ((term.values as readonly unknown[]).some(isLong)) return `A value has at most ${characters} characters.`;
  if (term.key === 'user' && term.values.some((value) => typeof value === 'object' && value.id.length > id))
    return `A whole id has at most ${id} characters.`;
  if (term.key !== 'field') return null;
  return term.path.length <= path && PATH_PATTERN.test(term.path) ? null : `A path has at most ${path} characters.`;
}

/** Examples that the field offers as help, in order. */
export const filterHelp = (): ReadonlyArray<{ readonly example: string; readonly help: string }> =>
  Object.values(filterGrammar).map(({ example, help }) => ({ example, help }));
