/** What Python 3 prints for parsed JSON; the texts come from Python itself. */
import { expect, test } from 'vitest';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { explain } from '../../../src/core/signature-lab/explain.ts';
import { readTree } from '../../../src/core/signature-lab/json-tree.ts';
import { pythonDict } from '../../../src/core/signature-lab/python-dict.ts';

test.each([
  [
    '{"a":1,"b":null,"c":[1,2.0,true,false,{}],"d":{},"e":[]}',
    "{'a': 1, 'b': None, 'c': [1, 2.0, True, False, {}], 'd': {}, 'e': []}",
  ],
  [
    '{"n":[-0,-0.0,1e15,1e16,0.0001,0.00001,12345678901234567890]}',
    "{'n': [0, -0.0, 1000000000000000.0, 1e+16, 0.0001, 1e-05, 12345678901234567890]}",
  ],
  ['{"d":1,"e":0,"d":2}', "{'d': 2, 'e': 0}"],
  ['{"it\'s":{"k":"v"}}', "{\"it's\": {'k': 'v'}}"],
  [String.raw`["it's","a \"b\"","it's \"b\"","'","\"",""]`, String.raw`["it's", 'a "b"', 'it\'s "b"', "'", '"', '']`],
  [String.raw`["a\\b\n\r\t/\/"]`, String.raw`['a\\b\n\r\t//']`],
  [
    String.raw`["\u0000\u0001\b\f\u000b\u001b\u007f\u0080\u00ad"]`,
    String.raw`['\x00\x01\x08\x0c\x0b\x1b\x7f\x80\xad']`,
  ],
  [String.raw`["\u00eb \u00a0\u1680\u3000\u200b\ufeff"]`, String.raw`['ë \xa0\u1680\u3000\u200b\ufeff']`],
  [String.raw`["\u2028\u2029\ue000\uffff\ud83d"]`, String.raw`['\u2028\u2029\ue000\uffff\ud83d']`],
  [String.raw`["\ud83d\ude00\udbc0\udc00\udbff\udfff"]`, String.raw`['😀\U00100000\U0010ffff']`],
  [String.raw`["\u00ff\u0100 \ud800\udc00 \udb40\udc01"]`, String.raw`['ÿĀ 𐀀 \U000e0001']`],
])('%s is printed as %s', (json, printed) => {
  expect(pythonDict(readTree(json))).toBe(printed);
});

test('a verifier that printed the dict is named', () => {
  const body = Buffer.from('{"type":"track","properties":{"total":184.50,"none":null}}');
  const hashed = "{'type': 'track', 'properties': {'total': 184.5, 'none': None}}";
  const verdict = explain({ body, secret: 's', digest: signatureOf('s', Buffer.from(hashed)) });
  expect(verdict).toMatchObject({ kind: 'explained', changes: ['python_dict'], writers: [] });
});
