/** Filters at random, for the stores and the language. */
import fc from 'fast-check';
import { HOOK_RESULTS } from '../../src/core/model/filter-grammar.ts';
import type { ListFilter, Term } from '../../src/core/model/filter-terms.ts';
import {
  CELL_LETTERS,
  MARKS,
  MESSAGE_STATES,
  MESSAGE_TYPES,
  type MessageState,
  NOT_SELECTED_REASONS,
  NOTE_CODES,
  REJECT_REASONS,
} from '../../src/core/model/vocabulary.ts';

const piece = fc.constantFrom(
  'a',
  'A',
  '%',
  '_',
  '\\',
  '"',
  'é',
  'É',
  '漢',
  '😀',
  ' ',
  "'",
  'b',
  ',',
  '*',
  '-',
  ':',
  '1',
  '\n',
);
export const word = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
/** Every backslash escapes a star or a backslash, as the reader makes them. */
const pattern = fc
  .array(fc.constantFrom('a', 'A', '%', '_', '\\\\', '"', 'é', '😀', ' ', '*', '\\*', ',', '='), { maxLength: 4 })
  .map((parts) => parts.join(''));

/** An id of a message. Few differ, and some only in case, so that a whole id is often found, and often almost found. */
export const someId = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'A', 'aa', '*') }, word);
const wholeId = someId.filter((id) => id !== '').map((id) => ({ id }));

/** Paths and values of {@link body}. */
const paths = ['properties.n', 'properties.s', 'properties.list.n', 'properties.a.b', 'traits.t', 'context', 'name'];
const numbers = fc.constantFrom(0, 1, 1.5, -2, 100, 1e21);
const fieldValue = fc.oneof(fc.constantFrom('1', '1.5', '-2', '100', 'true', 'null', '*', '', 'a', 'A*'), pattern);

const scalar = fc.oneof(numbers, word, fc.boolean(), fc.constant(null), fc.constantFrom('1', '100', 'ab'));
/** A delivered body, or bytes that are none. */
export const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          properties: fc.record(
            {
              n: numbers,
              s: scalar,
              list: fc.array(fc.oneof(scalar, fc.record({ n: scalar })), { maxLength: 3 }),
              a: fc.oneof(scalar, fc.record({ b: scalar })),
              'a.b': scalar,
            },
            { requiredKeys: [] },
          ),
          traits: fc.oneof(scalar, fc.record({ t: scalar })),
          name: word,
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: word },
);

const some = <V>(value: fc.Arbitrary<V>, maxLength = 2) => fc.uniqueArray(value, { minLength: 1, maxLength });
const cell = fc.constantFrom(...CELL_LETTERS);
const namedCell = fc.constantFrom(...Object.values(HOOK_RESULTS));
const slot = fc.integer({ min: 1, max: 3 });
/** The times of {@link messageRow} lie about here. */
export const receivedAt = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_005 });

/** The values of each key, and for fields the rest. */
const terms: { readonly [K in Term['key']]: fc.Arbitrary<Extract<Term, { key: K }>> } = {
  text: some(
    word.filter((text) => text !== ''),
    1,
  ).map((values) => ({ key: 'text', values })),
  type: fc.subarray([...MESSAGE_TYPES], { minLength: 4 }).map((values) => ({ key: 'type', values })),
  status: fc
    .oneof(
      fc.subarray([...MESSAGE_STATES], { minLength: 1 }),
      fc.subarray<MessageState>(['rejected', 'failed', 'expired', 'paused'], { minLength: 1 }),
    )
    .map((values) => ({ key: 'status', values })),
  source: some(fc.integer({ min: 1, max: 3 })).map((values) => ({ key: 'source', values })),
  user: some(fc.oneof(pattern, wholeId)).map((values) => ({ key: 'user', values })),
  event: some(pattern).map((values) => ({ key: 'event', values })),
  hook: some(fc.oneof(fc.record({ slot }), fc.record({ slot, cell: namedCell }))).map((values) => ({
    key: 'hook',
    values,
  })),
  code: some(fc.constantFrom('200', '503', '2xx', '4xx', '5xx', '1xx')).map((values) => ({ key: 'code', values })),
  took: some(fc.constantFrom(0, 5, 999, 1_000, 1_001, 4_000)).map((values) => ({ key: 'took', values })),
  is: some(fc.constantFrom(...MARKS)).map((values) => ({ key: 'is', values })),
  note: some(fc.constantFrom(...NOTE_CODES)).map((values) => ({ key: 'note', values })),
  reason: some(fc.constantFrom(...REJECT_REASONS, ...NOT_SELECTED_REASONS)).map((values) => ({
    key: 'reason',
    values,
  })),
  after: some(receivedAt, 1).map((values) => ({ key: 'after', values })),
  before: some(receivedAt, 1).map((values) => ({ key: 'before', values })),
  field: fc.oneof(
    fc.record({
      key: fc.constant('field' as const),
      path: fc.constantFrom(...paths.filter((path) => path !== 'context')),
      op: fc.constantFrom('=', '!='),
      values: some(fieldValue),
    }),
    fc.record({
      key: fc.constant('field' as const),
      path: fc.constantFrom(...paths.filter((path) => path !== 'context')),
      op: fc.constantFrom('>', '<', '>=', '<='),
      values: some(
        fc.oneof(
          fc.constantFrom('1', '1.5', '-2', 'a', 'ab'),
          word.filter((text) => text !== ''),
        ),
        1,
      ),
    }),
  ) as fc.Arbitrary<Extract<Term, { key: 'field' }>>,
};

/** Each key is as likely as another: one that comes seldom is tested by chance alone. */
export const oneTerm: fc.Arbitrary<Term> = fc
  .constantFrom(...(Object.keys(terms) as Term['key'][]))
  .chain((key) => fc.tuple(terms[key] as fc.Arbitrary<Term>, fc.boolean()))
  .map(([term, not]) => (not ? { ...term, not } : term));
export const oneOrTwoTerms: fc.Arbitrary<ListFilter> = fc
  .array(oneTerm, { minLength: 1, maxLength: 2 })
  .map((all) => ({ terms: all }));
export { cell };
