import { expect, test } from 'vitest';
import { withTimestamp } from '../../../src/core/model/replay-body.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const moved = (text: string): string => Buffer.from(withTimestamp(Buffer.from(text), AT)).toString();

test('only the timestamp of the call itself is replaced, whatever it is', () => {
  expect(moved('{ "n": 1.50, "timestamp" : "2020-01-01T00:00:00Z", "context":{"timestamp":1} }')).toBe(
    '{ "n": 1.50, "timestamp" : "2026-01-02T03:04:05.006Z", "context":{"timestamp":1} }',
  );
  expect(moved('{"timestamp":[{}],"timestamp":null}')).toBe(
    '{"timestamp":[{}],"timestamp":"2026-01-02T03:04:05.006Z"}',
  );
});

test.each(['{"context":{"timestamp":1}}', '["timestamp"]', '{"timestamp":', '', '"timestamp"'])(
  'bytes without one stay as they are: %s',
  (text) => expect(moved(text)).toBe(text),
);

test('bytes that are not UTF-8 stay as they are', () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
  expect(withTimestamp(bytes, AT)).toBe(bytes);
});
