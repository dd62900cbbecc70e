import { expect, it } from 'vitest';
import { jumpTime } from '../../../src/renderer/lib/jump-time.ts';

const NOW = new Date(2026, 2, 1, 12, 0).getTime();
const at = (...parts: [number, number, number, number?, number?, number?]): number =>
  new Date(parts[0], parts[1], parts[2], parts[3] ?? 0, parts[4] ?? 0, parts[5] ?? 0).getTime();

it.each([
  ['9:00', at(2026, 2, 1, 9)],
  ['14:32', at(2026, 1, 28, 14, 32)],
  [' 09:00:05 ', at(2026, 2, 1, 9, 0, 5)],
  ['yesterday 9:00', at(2026, 1, 28, 9)],
  ['Yesterday, 23:59', at(2026, 1, 28, 23, 59)],
  ['yesterday', at(2026, 1, 28)],
  ['today 14:32', at(2026, 2, 1, 14, 32)],
  ['2026-01-31', at(2026, 0, 31)],
  ['2026-01-31 14:32', at(2026, 0, 31, 14, 32)],
  ['2026-01-31T14:32:00Z', Date.UTC(2026, 0, 31, 14, 32)],
  ['2026-01-31T14:32:00+02:00', Date.UTC(2026, 0, 31, 12, 32)],
  ['10m', NOW - 600_000],
])('reads %j', (text, expected) => {
  expect(jumpTime(text, NOW)).toBe(expected);
});

it.each(['', '14', '14:', '25:00', 'yesterday 9', 'tomorrow 9:00', '2026-02-30', 'noon'])(
  'does not read %j',
  (text) => {
    expect(jumpTime(text, NOW)).toBeNull();
  },
);
