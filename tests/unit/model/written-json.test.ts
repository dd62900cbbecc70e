import { expect, test } from 'vitest';
import { jsonText, parseWritten, writtenNumber } from '../../../src/core/model/written-json.ts';

test.each(['100.0', '1e2', '1e999', '-0', '12345678901234567890'])('the number %s stays as it was written', (text) => {
  expect(writtenNumber(parseWritten(text))).toBe(text);
  expect(jsonText(parseWritten(`{ "a": [${text}, 1.5] }`))).toBe(`{"a":[${text},1.5]}`);
});

test('everything else is what JSON.parse gives, however it was written', () => {
  const text = '{"a":"\\u0061\\/","b":[true,false,null,1.5,0],"\\u0063":{},"__proto__":1}';
  expect(parseWritten(text)).toEqual(JSON.parse(text));
  expect([1.5, '100.0', null, { a: 1 }].map(writtenNumber)).toEqual([null, null, null, null]);
});
