import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { withoutValues } from '../../../src/core/exchange/values-gone.ts';

const NAME = 'Zoë "Lea" O\'Neil/Ü <x&y> \\ 😀\n';
const IN_JSON = JSON.stringify({ name: NAME });
const ascii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const HTML: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
const html = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&${HTML[sign]};`);
const gone = (text: string, ...values: string[]): string => withoutValues({ text }, values, '[gone]').text;

describe('a value', () => {
  test.each([
    ['as it is', `hello ${NAME}.`, 'hello [gone].'],
    ['in capitals', `hello ${NAME.replace('eil', 'EIL')}`, 'hello [gone]'],
    ['in JSON', IN_JSON, '{"name":"[gone]"}'],
    ['in JSON of Python', ascii(IN_JSON), '{"name":"[gone]"}'],
    ['in JSON of PHP', ascii(IN_JSON).replaceAll('/', '\\/'), '{"name":"[gone]"}'],
    ['in JSON that is cut', ascii(IN_JSON).slice(0, -1), '{"name":"[gone]"'],
    ['in JSON within JSON', `got ${JSON.stringify(ascii(IN_JSON))}`, 'got "{\\"name\\":\\"[gone]\\"}"'],
    ['in HTML', `<p>${html(NAME)}</p>`, '<p>[gone]</p>'],
    ['in JSON in HTML', html(IN_JSON), '{&quot;name&quot;:&quot;[gone]&quot;}'],
    ['in a URL', `/x?name=${encodeURIComponent(NAME)}`, '/x?name=[gone]'],
    ['in a form', `${new URLSearchParams({ name: NAME })}`, 'name=[gone]'],
  ])('goes %s', (_, text, expected) => {
    expect(gone(text, NAME)).toBe(expected);
  });

  test('that is short goes where it is a whole value', () => {
    expect(gone('"pro" \\"pro\\" &quot;pro&quot; %22pro%22 prof pro', 'pro')).toBe(
      '"[gone]" \\"[gone]\\" &quot;[gone]&quot; %22[gone]%22 prof pro',
    );
    expect(gone('got {"pin":987.5,"x":1987.5,"y":"987.5"} %3A987.5%7D 987.5', '987.5')).toBe(
      'got {"pin":[gone],"x":1987.5,"y":"[gone]"} %3A[gone]%7D 987.5',
    );
  });

  test('that is a number goes from JSON, which stays JSON', () => {
    expect(gone('{"pin":987.50,"list":[987.5,1]}', '987.5', '1')).toBe('{"pin":"[gone]","list":["[gone]",1]}');
  });

  test('that is an object goes with its keys', () => {
    expect(gone('{"a":{"ada@acme.test":{}}}', '{"ada@acme.test":{}}')).toBe('{"a":"[gone]"}');
    expect(gone('got {"a":{"ada@acme.test":{}}}', '{"ada@acme.test":{}}')).toBe('got {"a":[gone]}');
  });

  test('of many characters goes too', () => {
    const long = 'ü'.repeat(1_500);
    expect(gone(`x ${long} ${encodeURIComponent(long)}`, long)).toBe('x [gone] [gone]');
  });

  test('goes where JSON has even its letters as escapes, and a number however it is written', () => {
    expect(gone('{"a":"\\u0061d\\u0061"}', 'ada')).toBe('{"a":"[gone]"}');
    expect(gone('{"a":1e3}', '1000')).toBe('{"a":"[gone]"}');
  });

  test('leaves JSON without it as it was written', () => {
    expect(gone('{ "a": 1.0 }', 'ada@acme.test')).toBe('{ "a": 1.0 }');
  });
});

/** Throws when the search does not end: an expression that fits in many ways would go on for years. */
const goneAtLast = (text: string, value: string): string =>
  runInNewContext('gone(text, value)', { gone, text, value }, { timeout: 20_000 }) as string;

describe('the search ends, in a text that begins like the value and goes on in another way', () => {
  const level = (text: string, times: number): string => (times === 0 ? text : level(JSON.stringify(text), times - 1));
  const items = JSON.stringify(Array.from({ length: 30 }, (_, n) => ({ sku: `SKU/${n}`, name: 'a "b"\n' })));

  test.each([
    ['JSON', items],
    ['JSON within JSON', level(items, 1)],
    ['quotes', '"'.repeat(60)],
    ['slashes', '/a'.repeat(60)],
    ['backslashes before quotes', '\\"'.repeat(60)],
    ['backslashes and percent signs', '\\%5c'.repeat(60)],
    ['lines', '\\\n'.repeat(60)],
    ['blanks', ' +'.repeat(60)],
  ])('%s', (_, value) => {
    for (const times of [0, 1, 2, 3]) {
      const like = level(`${value.slice(0, -4)}x`, times);
      expect(goneAtLast(like, value)).toBe(like);
    }
    for (const unit of ['\\u0022', '\\\\\\\\\\\\\\u0022', '\\\\\\"', '%5c%22', '%5c', '\\'])
      expect(goneAtLast(`got ${unit.repeat(59)}x`, value)).toContain('got ');
  });
});
