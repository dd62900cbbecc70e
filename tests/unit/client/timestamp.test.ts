import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimestamp, timestampOf } from '../../../src/client/timestamp.ts';
import { parseTimestamp } from '../../../src/core/model/timestamp.ts';

describe('timestamps', () => {
  const parts = fc.tuple(
    fc.constantFrom('2026', '0000', '0001', '9999', '2024', '1900', '26', 'x026'),
    fc.constantFrom('-01', '-02', '-12', '-13', '-00', '/01', '-1'),
    fc.constantFrom('-01', '-28', '-29', '-30', '-31', '-00', '-32'),
    fc.constantFrom(
      '',
      'T12:31:04',
      't12:31',
      ' 23:59:59',
      'T24:00:00',
      'T00:00:60',
      'T12',
      'T12:60:00',
      'T1:02:03',
      'T00:00',
    ),
    fc.constantFrom('', '.1', '.708795692', ',5', '.'),
    fc.constantFrom('', 'Z', 'z', '-0500', '-05:00', '+02', '+24:00', '+00:60', '+1', 'ZZ', ' Z', '+23:59'),
  );

  it('are taken and refused as ingest does', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const text = all.join('');
        expect([text, isTimestamp(text)]).toEqual([text, parseTimestamp(text) !== null]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('of the client are those of toISOString', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
        expect(timestampOf(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });
});
