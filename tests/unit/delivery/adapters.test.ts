import { describe, expect, it } from 'vitest';
import { systemClock, systemTimers } from '../../../src/core/adapters/clock.ts';
import { systemIds } from '../../../src/core/adapters/ids.ts';
import { createJsonLogger } from '../../../src/core/adapters/logger.ts';
import { createSystemRandom } from '../../../src/core/adapters/random.ts';
import { createSealer, SealError } from '../../../src/core/adapters/sealer.ts';

describe('the system clock and timers', () => {
  it('tell whole epoch milliseconds and a time that never goes back', () => {
    expect(Number.isInteger(systemClock.wall())).toBe(true);
    const first = systemClock.mono();
    expect(systemClock.mono()).toBeGreaterThanOrEqual(first);
  });

  it('run after the delay, not before, and not when cancelled', async () => {
    const ran: string[] = [];
    const startedAt = systemClock.mono();
    const cancelled = systemTimers.after(1, () => ran.push('cancelled'));
    cancelled.cancel();
    cancelled.cancel();
    await new Promise<void>((resolve) => systemTimers.after(20, resolve));
    expect(systemClock.mono() - startedAt).toBeGreaterThanOrEqual(19);
    expect(ran).toEqual([]);
  });

  it('do not run a timer of 50 days at once', async () => {
    let ran = false;
    const timer = systemTimers.after(50 * 86_400_000, () => {
      ran = true;
    });
    await new Promise<void>((resolve) => systemTimers.after(10, resolve));
    timer.cancel();
    expect(ran).toBe(false);
  });

  it('run `soon` after the promises of this turn', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      systemTimers.soon(() => {
        order.push('soon');
        resolve();
      });
      void Promise.resolve().then(() => order.push('promise'));
    });
    expect(order).toEqual(['promise', 'soon']);
  });
});

describe('chance and ids', () => {
  it('draws evenly from [0, 1)', () => {
    const random = createSystemRandom();
    const numbers = Array.from({ length: 10_000 }, () => random.next());
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toBeCloseTo(0.5, 1);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('makes UUIDs and hex of the asked length', () => {
    expect(systemIds.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(systemIds.hex(32)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the log', () => {
  const lines: string[] = [];
  const logger = createJsonLogger({ clock: { wall: () => Date.UTC(2025, 0, 1) }, write: (line) => lines.push(line) });

  it('is one JSON object a line with time, level, event and fields', () => {
    lines.length = 0;
    logger.log('warn', 'store_not_writable', { code: 'SQLITE_FULL', tries: 3, last: null });
    expect(lines).toEqual([
      '{"time":"2025-01-01T00:00:00.000Z","level":"warn","event":"store_not_writable","code":"SQLITE_FULL","tries":3,"last":null}\n',
    ]);
  });

  it('lets no control, escape or direction character reach the terminal, and loses none', () => {
    lines.length = 0;
    const hostile = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).join('');
    const text = `${hostile}\u202e\u2066\u200b\u2028\ufeff\u001b]52;c;AAAA\u0007`;
    logger.log('error', text, { text });
    const line = lines[0] ?? '';
    expect(line.endsWith('\n')).toBe(true);
    const bytes = Buffer.from(line.slice(0, -1));
    expect(bytes.every((byte) => byte >= 0x20 && byte !== 0x7f)).toBe(true);
    expect(line.slice(0, -1)).not.toMatch(/[\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/);
    expect(JSON.parse(line)).toMatchObject({ event: text, text });
  });

  it('leaves out what is below its level', () => {
    lines.length = 0;
    logger.log('debug', 'detail');
    expect(lines).toEqual([]);
  });
});

describe('the sealer', () => {
  const key = new Uint8Array(32).fill(7);
  const sealer = createSealer(key);

  it.each(['', 's3cret', 'Zürich \u{1f512}', 'x'.repeat(10_000)])('opens what it sealed: %j', (plain) => {
    expect(sealer.open(sealer.seal(plain))).toBe(plain);
  });

  it('never seals the same way twice and does not show the text', () => {
    const first = sealer.seal('s3cret');
    expect(first).not.toEqual(sealer.seal('s3cret'));
    expect(Buffer.from(first).includes('s3cret')).toBe(false);
  });

  it('notices every changed bit', () => {
    const sealed = sealer.seal('s3cret');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const altered = Uint8Array.from(sealed);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => sealer.open(altered)).toThrow(SealError);
    }
  });

  it('says why it cannot open', () => {
    const sealed = sealer.seal('s3cret');
    const problemOf = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return error instanceof SealError ? [error.code, error.problem] : error;
      }
    };
    const other = createSealer(new Uint8Array(32).fill(8));
    expect(problemOf(() => other.open(sealed))).toEqual(['seal_unreadable', 'wrong_key_or_altered']);
    expect(problemOf(() => sealer.open(sealed.subarray(0, 20)))).toEqual(['seal_unreadable', 'truncated']);
    expect(problemOf(() => sealer.open(Uint8Array.of(9, ...sealed.subarray(1))))).toEqual([
      'seal_unreadable',
      'unknown_version',
    ]);
  });

  it('takes a key of 32 bytes only and is not changed when the caller wipes its copy', () => {
    expect(() => createSealer(new Uint8Array(31))).toThrow(RangeError);
    const mine = new Uint8Array(32).fill(1);
    const made = createSealer(mine);
    const sealed = made.seal('kept');
    mine.fill(0);
    expect(made.open(sealed)).toBe('kept');
  });
});
