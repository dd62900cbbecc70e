/** One walk for many values takes out what a look for each of them, one after the other, takes out. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { MASKED } from '../../../src/core/exchange/mask.ts';
import { withoutValues } from '../../../src/core/exchange/values-gone.ts';

const inEveryCase = ['a', 'B', 'é', 'É', 'ß', 'ſ', '\u212a', 'ä', '漢', '😀', '\ud83d'];
const signs = [...'"\'\\/ +&<>%[]{},:;-.#@\n\t', '\u2028', 'masked', 'mask', 'ed]', '[m'];
const letters = [...'12059', 'ab', 'n', 'u0022', 'quot', 'amp', '5c', '22', 'e'];
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...letters, ...inEveryCase) },
  { weight: 3, arbitrary: fc.constantFrom(...signs) },
);
const value = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')) },
  fc.constantFrom('12', '12.5', '1e3', '-7', '123456', 'usr', 'user', '"a"', '{"a":"b"}', '["a",12]', '"[', ' ]a'),
);

const ascii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const html = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const named = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&LT;');
const inner = (text: string): string => JSON.stringify(text).slice(1, -1);
const hex = (text: string): string =>
  text.replace(/[^a-z\d]/giu, (sign) => [...Buffer.from(sign)].map((byte) => `%${byte.toString(16)}`).join(''));
const SPELLINGS: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  inner,
  (text) => ascii(inner(text)),
  (text) => ascii(inner(text)).replaceAll('/', '\\/'),
  (text) => inner(ascii(inner(text))),
  (text) => inner(text).replace(/[<>&"']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  html,
  named,
  (text) => html(inner(text)),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => `${new URLSearchParams([['', text]])}`.slice(1),
  (text) => encodeURIComponent(inner(text.toWellFormed())),
  hex,
];
/** Around a value. */
const around = fc.constantFrom(
  '',
  '"',
  "'",
  '\\"',
  '\\\\\\"',
  '&quot;',
  '&amp;quot;',
  '%22',
  ':',
  '[',
  ', ',
  ' ]',
  '}',
  'x',
  MASKED,
);

const spelled = fc.tuple(fc.nat(), fc.constantFrom(...SPELLINGS), around, around).map(
  ([at, spell, before, after]) =>
    (values: readonly string[]): string =>
      before + spell(values[at % values.length]!) + after,
);
const noise = piece.map((text) => () => text);
const text = fc.array(fc.oneof({ weight: 3, arbitrary: spelled }, noise), { maxLength: 6 });

const drawn = fc.record({
  values: fc.array(value, { minLength: 1, maxLength: 8 }),
  texts: fc.array(text, { minLength: 1, maxLength: 4 }),
  instead: fc.constantFrom(MASKED, '[hidden]', '"2', 'x'),
});

test('whatever the values, and however they are written', () => {
  fc.assert(
    fc.property(drawn, ({ values, texts, instead }) => {
      const written = texts.map((parts) => parts.map((part) => part(values)).join(''));
      const message = { plain: written, json: JSON.stringify({ inside: written, key: { [written[0]!]: 12 } }) };
      expect(withoutValues(message, values, instead, 1)).toEqual(
        withoutValues(message, values, instead, Number.POSITIVE_INFINITY),
      );
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  [
    'a value that begins where a longer one ended',
    ['secret-one', ']tail'],
    'secret-onetail',
    '[masked]tail'.replace(']tail', MASKED),
  ],
  ['a word of what stands in the place', ['secret-one', 'masked'], 'a secret-one, masked', 'a [[masked]], [masked]'],
  ['the longer one first', ['one two', 'two three four'], 'one two three four', `one ${MASKED}`],
])('%s goes as it does one by one', (_, values, given, expected) => {
  for (const many of [1, 99]) expect(withoutValues({ given }, values, MASKED, many)).toEqual({ given: expected });
});

test('long values go too, also those that begin alike', () => {
  const long = ['ü', 'a"<', 'x'].map((text) => `${'b é'.repeat(40)}${text.repeat(900)}`);
  const given = long
    .flatMap((text) => [text, inner(text), encodeURIComponent(text), `${text.slice(0, -1)}!`])
    .join(' , ');
  for (const values of [long, long.slice(1)])
    expect(withoutValues({ given }, values, MASKED, 1)).toEqual(withoutValues({ given }, values, MASKED, 99));
  expect(withoutValues({ given }, long, MASKED, 1).given.split(MASKED)).toHaveLength(10);
});

test('a text with one of many values is not searched for each of them', () => {
  const values = Array.from({ length: 500 }, (_, i) => `user${i}@acme.test`);
  const others = values.map((_, i) => `other${i}@acme.test`);
  const answer = JSON.stringify([...others, values[7]]);
  const looks = vi.spyOn(String.prototype, 'includes');
  expect(withoutValues({ answer }, values, MASKED)).toEqual({ answer: JSON.stringify([...others, MASKED]) });
  const asked = looks.mock.calls.length;
  looks.mockRestore();
  expect(asked).toBeLessThan(10_000);
});
