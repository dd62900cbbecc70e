/** The small parts of the client, each by itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addCall, bodyOf, emptyBatch, isTooMuch, splitBatch } from '../../../src/client/batch.ts';
import { CallError, LossError, OptionError } from '../../../src/client/errors.ts';
import { nextFlushAt } from '../../../src/client/flush-rule.ts';
import { GiveUp } from '../../../src/client/give-up.ts';
import { KEEPALIVE_BYTES, MAX_ANSWER_BYTES, MAX_CALL_BYTES } from '../../../src/client/limits.ts';
import { createLog } from '../../../src/client/log.ts';
import { bytesOf, isTooDeep } from '../../../src/client/measure.ts';
import { retryAfterMs } from '../../../src/client/retry-rule.ts';
import { Tally } from '../../../src/client/tally.ts';
import { isTimestamp, timestampOf } from '../../../src/client/timestamp.ts';
import { LIBRARY } from '../../../src/client/version.ts';

const AT = '2026-11-20T17:31:04.089Z';
const batchOf = (order: number, ...calls: string[]) => {
  const batch = emptyBatch('id', order);
  for (const json of calls) addCall(batch, json, bytesOf(json));
  return batch;
};

describe('the body of a batch', () => {
  it('is the envelope of version 2 to the letter', () => {
    const context = JSON.stringify({ library: LIBRARY });
    expect(bodyOf(batchOf(1, '{"a":1}', '{"b":2}'), AT)).toBe(
      `{"context":${context},"batch":[{"a":1},{"b":2}],"messageId":"id","sentAt":"${AT}"}`,
    );
    expect(LIBRARY.name).toBe('hookbench-client');
  });

  it('knows its own size and that of its calls', () => {
    const batch = batchOf(1, '"é"', '{}', '{}');
    expect(batch.callBytes).toBe(4 + 2 + 2);
    expect(batch.bytes).toBe(new TextEncoder().encode(bodyOf(batch, AT)).length);
  });

  it('of exactly the limit stays whole; over it the first piece keeps its id, and the others have new ones', () => {
    const batch = batchOf(3, '"aaaa"', '"bbbb"', '"cccc"');
    expect(splitBatch(batch, batch.bytes, () => 'new')).toEqual([batch]);
    const pieces = splitBatch(batch, batch.bytes - 1, () => 'new');
    expect(pieces.map(({ id, order, calls }) => [id, order, calls.length])).toEqual([
      ['id', 3, 2],
      ['new', 3, 1],
    ]);
    expect(splitBatch(batch, 1, () => 'new').map(({ calls }) => calls.length)).toEqual([1, 1, 1]);
  });

  it('has room for a call with its comma', () => {
    const batch = batchOf(1, '{}');
    expect(isTooMuch(batch, 2, batch.bytes + 3)).toBe(false);
    expect(isTooMuch(batch, 2, batch.bytes + 2)).toBe(true);
  });
});

describe('errors', () => {
  const details = { tries: 2, status: 400, answer: 'no' };

  it('of lost messages parse them once, when they are asked for', () => {
    const loss = new LossError('rejected', 'text', ['{"type":"track"}', '{"type":"page"}'], details);
    expect(loss).toMatchObject({ ...details, code: 'rejected', message: 'text', count: 2, name: 'LossError' });
    expect(loss.messages).toEqual([{ type: 'track' }, { type: 'page' }]);
    expect(loss.messages).toBe(loss.messages);
  });

  it('have a cause only where there is one', () => {
    const cause = new Error('below');
    expect(new LossError('closed', '', [], { ...details, cause }).cause).toBe(cause);
    expect('cause' in new LossError('closed', '', [], details)).toBe(false);
    expect(new CallError('queue_full', '', null, cause).cause).toBe(cause);
    expect('cause' in new CallError('queue_full', 'x')).toBe(false);
    expect(new CallError('queue_full', 'x')).toMatchObject({ name: 'CallError', message: 'x', field: null });
  });

  it('of options name the option', () => {
    const error = new OptionError('size', 'x');
    expect(error).toMatchObject({ name: 'OptionError', code: 'invalid_option', option: 'size', message: 'x' });
  });
});

describe('the next flush by time', () => {
  it.each([
    [0, 0, 5_000],
    [0, 4_999, 5_000],
    [0, 5_000, 10_000],
    [0, 5_001, 10_000],
    [100, 50, 5_100],
  ])('after one at %i is, asked at %i, at %i', (last, now, at) => {
    expect(nextFlushAt(last, now, 5_000)).toBe(at);
  });
});

describe('giving up', () => {
  it('tells each listener once, and at once who comes later', () => {
    const giveUp = new GiveUp();
    const told: string[] = [];
    giveUp.on(() => told.push('first'));
    const takeBack = giveUp.on(() => told.push('taken back'));
    takeBack();
    expect([giveUp.isOn, told]).toEqual([false, []]);
    giveUp.now();
    expect([giveUp.isOn, told]).toEqual([true, ['first']]);
    giveUp.now();
    giveUp.on(() => told.push('late'));
    giveUp.now();
    expect(told).toEqual(['first', 'late']);
  });
});

describe('the log', () => {
  it('asks for a text only while it is on, and warns always', () => {
    const lines: string[] = [];
    let verbose = false;
    const log = createLog(
      (level, text) => lines.push(`${level} ${text}`),
      () => verbose,
    );
    log.debug(() => {
      throw new Error('asked for a text that nobody reads');
    });
    log.warn('careful');
    verbose = true;
    log.debug(() => 'detail');
    expect(lines).toEqual(['warn analytics: careful', 'debug analytics: detail']);
  });
});

describe('sizes', () => {
  it.each(['x', 'é', '€', '😀'])('are those of an encoder around the buffer that is kept (%s)', (character) => {
    const encoder = new TextEncoder();
    for (let more = -6; more <= 6; more += 1) {
      for (const length of [MAX_CALL_BYTES, MAX_CALL_BYTES / bytesOf(character)]) {
        const text = character.repeat(Math.floor(length) + more);
        expect(bytesOf(text)).toBe(encoder.encode(text).length);
      }
    }
    expect(bytesOf(`${'x'.repeat(MAX_CALL_BYTES - 1)}é`)).toBe(MAX_CALL_BYTES + 1);
    expect(bytesOf('')).toBe(0);
  });

  it('of the limits are what the platform and the server allow', () => {
    expect([MAX_CALL_BYTES, KEEPALIVE_BYTES, MAX_ANSWER_BYTES]).toEqual([32_768, 60_000, 65_536]);
  });
});

describe('depth', () => {
  const arrays = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);
  const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

  it.each([
    ['arrays', arrays(510), arrays(511)],
    ['objects', objects(510), objects(511)],
    ['both', '{"a":'.repeat(255) + arrays(255) + '}'.repeat(255), '{"a":'.repeat(255) + arrays(256) + '}'.repeat(255)],
    ['objects with much beside them', `[${'{},'.repeat(900)}${objects(509)}]`, `[${'{},'.repeat(900)}${objects(510)}]`],
  ])('of %s: 510 levels pass, 511 do not', (_, fits, deep) => {
    expect([isTooDeep(fits), isTooDeep(deep)]).toEqual([false, true]);
  });

  it('counts levels, not brackets, and none in texts', () => {
    expect(isTooDeep(`[${'[],{},'.repeat(2_000)}0]`)).toBe(false);
    expect(
      isTooDeep(JSON.stringify({ a: '['.repeat(600), b: `"${'{'.repeat(600)}`, c: `\\"${'['.repeat(600)}` })),
    ).toBe(false);
    expect(isTooDeep(`["\\\\",${arrays(510)}]`)).toBe(true);
    expect(isTooDeep(arrays(510, `"${']'.repeat(9)}"`))).toBe(false);
    expect(isTooDeep(`["${']'.repeat(9)}",${arrays(510)}]`)).toBe(true);
    expect(isTooDeep(`["${'\\"'.repeat(9)}",${arrays(509)}]`)).toBe(false);
    expect(isTooDeep(`[${arrays(510)},[]]`)).toBe(true);
  });
});

describe('a Retry-After', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  it.each([
    [' 5 ', 5_000],
    ['Fri, 20 Nov 2026 12:00:05 GMT', 5_000],
    ['Fri, 20 Nov 2026 11:00:05 GMT', 0],
    ['xFri, 20 Nov 2026 12:00:05 GMT', null],
    ['Fri, 20 Nov 2026 12:00:05 GMTx', null],
    ['Fri, 2 Nov 2026 12:00:05 GMT', null],
    ['Fri, 20 Nov 26 12:00:05 GMT', null],
    ['Fri, 20 Nov 2026 2:00:05 GMT', null],
    ['Fri, 20 Nov 2026 12:0:05 GMT', null],
    ['Fri, 20 Nov 2026 12:00:5 GMT', null],
    ['5s', null],
    ['s5', null],
    [null, null],
  ])('of %j is %s', (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms);
  });
});

describe('a tally', () => {
  it('is done with its own messages, and takes no later batch for one of them', async () => {
    const tally = new Tally(3, 2);
    tally.add(batchOf(3, '1', '2', '3'), null);
    expect(tally.isDone).toBe(false);
    tally.add(batchOf(2, '1'), null);
    const loss = new LossError('rejected', '', ['1', '2'], { tries: 1, status: 400, answer: null });
    tally.add(batchOf(1, '1', '2'), loss);
    expect(tally.isDone).toBe(true);
    expect(await tally.outcome).toEqual({ sent: 1, lost: 2, losses: [loss] });
  });

  it('of nothing is done at once', async () => {
    const tally = new Tally(0, 9);
    expect(tally.isDone).toBe(true);
    expect(await tally.outcome).toEqual({ sent: 0, lost: 0, losses: [] });
  });
});

describe('timestamps', () => {
  it.each([
    ['2026-11-20', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-04-31', false],
    ['2026-13-01', false],
    ['2026-00-01', false],
    ['2026-11-00', false],
    ['2026-11-99', false],
    ['2026-11-20T23:59:59Z', true],
    ['2026-11-20T24:00:00Z', false],
    ['2026-11-20T23:60:00Z', false],
    ['2026-11-20T23:59:60Z', false],
    ['2026-11-20T00:00:00+23:59', true],
    ['2026-11-20T00:00:00+24:00', false],
    ['2026-11-20T00:00:00+23:60', false],
    ['2026-11-20T00:00:00.123456789-0500', true],
    ['2026-11-20T00:00:00+05', true],
    ['x2026-11-20', false],
    ['2026-11-20x', false],
    ['0000-01-01T00:00:00Z', true],
    ['0000-01-01T00:00:00-00:01', true],
    ['0000-01-01T00:00:00+00:01', false],
    ['0000-01-01T01:00:00+01:00', true],
    ['9999-12-31T23:59:59.999Z', true],
    ['9999-12-31T23:59:59-00:01', false],
    ['9999-12-31T22:59:59-01:00', true],
    ['9999-12-31T22:59:59-01:01', false],
    ['0099-12-31T00:00', true],
  ])('%s: %s', (text, taken) => {
    expect(isTimestamp(text)).toBe(taken);
  });

  it('are written afresh for another millisecond', () => {
    const texts = [0, 0, 1, 0].map(timestampOf);
    expect(texts.map((text) => text.slice(-5))).toEqual(['.000Z', '.000Z', '.001Z', '.000Z']);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => {
        expect(timestampOf(ms)).toBe(new Date(ms).toISOString());
      }),
      { numRuns: 20 },
    );
  });
});
