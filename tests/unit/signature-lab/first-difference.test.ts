import { expect, test } from 'vitest';
import { firstDifference } from '../../../src/core/signature-lab/first-difference.ts';

test.each([
  ['{"a":"x"}', '{"a":"y"}', 6, 'a'],
  ['{"a":3}', '{"a":3.0}', 6, 'a'],
  ['{"a":3,"b":1}', '{"a":3.0,"b":1}', 6, 'a'],
  ['{"a":[3,4]}', '{"a":[3.0,4]}', 7, 'a[0]'],
  ['{"a":[3,4]}', '{"a":[3,4.0]}', 9, 'a[1]'],
  ['{"a":{}}', '{"a":[]}', 5, 'a'],
  ['{"a":1,"b":2}', '{"a":1, "b":2}', 7, 'b'],
  ['{"b":1,"a":2}', '{"a":2,"b":1}', 2, 'b'],
  ['{"p":{"k":"&"}}', '{"p":{"k":"\\u0026"}}', 11, 'p.k'],
  ['{"a":1}', '{"a":1}\n', 7, ''],
  ['no JSON', 'no json', 3, ''],
])('%s and %s', (sent, other, at, field) => {
  expect(firstDifference(Buffer.from(sent), Buffer.from(other))).toEqual({ at, field });
});
