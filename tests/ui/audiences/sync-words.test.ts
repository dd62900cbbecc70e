import { describe, expect, it } from 'vitest';
import type { SyncDetail, SyncEvent } from '../../../src/contract/audiences.ts';
import { topOf } from '../../../src/renderer/screens/audiences/sync/rate-chart.tsx';
import { rateCourse, stopsOf } from '../../../src/renderer/screens/audiences/sync/rate-course.ts';
import {
  courseSentence,
  eventText,
  failedText,
  groupText,
  leftMs,
  nounOf,
  rateText,
  sentText,
} from '../../../src/renderer/screens/audiences/sync/sync-words.ts';

type Moment = Exclude<SyncEvent, { what: 'left_out' }>;
const event = (at: number, what: Moment['what'], sent: number | null = null): Moment => ({
  at,
  what,
  by: what === 'done' ? null : 'person',
  sent,
});
const leftOut = (at: number, calls: number): SyncEvent => ({
  at,
  what: 'left_out',
  by: null,
  sent: 3,
  calls,
});
const sync = (over: Partial<SyncDetail>): SyncDetail =>
  ({
    kind: 'first',
    state: 'running',
    perSecond: 0,
    series: [],
    events: [],
    waitsFor: [],
    ledger: { expected: 10, delivered: 0, failed: 0, waiting: 10, unsent: 10, retrying: 0, open: 0 },
    ...over,
  }) as SyncDetail;

describe('the course of a sync', () => {
  it('is not known before two points', () => {
    expect(rateCourse({ series: [], events: [] })).toBeNull();
    expect(rateCourse({ series: [[1_000, 0]], events: [] })).toBeNull();
    expect(
      rateCourse({
        series: [
          [1_000, 0],
          [1_000, 5],
        ],
        events: [],
      }),
    ).toBeNull();
  });

  it('breaks at a stop, and calls that end in it make no rate', () => {
    const course = rateCourse({
      series: [
        [0, 0],
        [1_000, 100],
        [3_000, 500],
        [5_000, 510],
        [13_000, 510],
        [14_000, 810],
      ],
      events: [event(0, 'started'), event(3_000, 'stopped', 500), event(13_000, 'resumed', 500)],
    })!;
    expect(course.stops).toEqual([{ from: 3_000, to: 13_000 }]);
    expect(course.runs.map((run) => run.map(({ at, perSecond }) => [at, perSecond]))).toEqual([
      [
        [0, 100],
        [1_000, 100],
        [3_000, 200],
      ],
      [
        [13_000, 300],
        [14_000, 300],
      ],
    ]);
    expect([course.from, course.to, course.highest]).toEqual([0, 14_000, 300]);
  });

  it('is drawn up to the next round number', () => {
    expect([0, 0.4, 1, 4.2, 612, 700, 999, 12_345].map(topOf)).toEqual([1, 1, 1, 5, 700, 700, 1_000, 20_000]);
  });

  it('has a stop that goes on', () => {
    expect(stopsOf([event(0, 'started'), event(5, 'stopped')], 9)).toEqual([{ from: 5, to: 9 }]);
    expect(stopsOf([event(5, 'stopped')], 5)).toEqual([]);
    expect(stopsOf([event(5, 'stopped'), leftOut(7, 1)], 9)).toEqual([{ from: 5, to: 9 }]);
  });

  it('is said in words', () => {
    const running = sync({
      series: [
        [0, 0],
        [77_000, 41_000],
      ],
      perSecond: 612,
      ledger: {
        expected: 100_000,
        delivered: 41_186,
        failed: 14,
        waiting: 58_800,
        unsent: 58_712,
        retrying: 72,
        open: 16,
      },
    });
    expect(courseSentence(running, 'member', [{ from: 28_000, to: 38_000 }])).toBe(
      'About 615 members per second for 1 min 7 s, with 1 stop of 10.00 s. 1 min 36 s to go.',
    );
    expect(courseSentence(sync({}), 'member', [])).toBe('No rate yet.');
    expect(leftMs(sync({ state: 'stopped', perSecond: 5 }))).toBeNull();
    expect(leftMs(sync({ perSecond: 5, waitsFor: ['by_person'] }))).toBeNull();
    expect(leftMs(sync({ perSecond: 5, waitsFor: ['enough_open'] }))).toBe(2_000);
    expect(rateText(4.25)).toBe('4.3');
    expect(rateText(611.6)).toBe('612');
    expect(rateText(0)).toBe('0');
  });
});

describe('the words of a sync', () => {
  it('count what it sends', () => {
    expect(nounOf({ kind: 'first' }, { kind: 'audience', track: false })).toBe('member');
    expect(nounOf({ kind: 'changes' }, { kind: 'audience', track: false })).toBe('user');
    expect(nounOf({ kind: 'first' }, { kind: 'trait', track: false })).toBe('user');
    expect(nounOf({ kind: 'first' }, { kind: 'audience', track: true })).toBe('call');
  });

  it('tell what happened', () => {
    expect(eventText(event(0, 'started'), 100_000, 'member')).toBe('Started by you, 100,000 members');
    expect(eventText(event(0, 'started'), null, 'member')).toBe('Started by you');
    expect(eventText({ ...event(0, 'started'), by: 'clock' }, 1, 'user')).toBe('Started by the retry clock, 1 user');
    expect(eventText(event(0, 'stopped', 16_418), 100_000, 'member')).toBe('Stopped by you at 16,418');
    expect(eventText({ ...event(0, 'stopped', 3), by: 'restart' }, 5, 'member')).toBe('Stopped by a restart at 3');
    expect(eventText(event(0, 'resumed', 16_418), 100_000, 'member')).toBe('Resumed with member 16,419');
    expect(eventText({ ...event(0, 'resumed', 3), by: 'restart' }, 5, 'call')).toBe('Resumed by a restart with call 4');
    expect(eventText(event(0, 'done', 5), 5, 'call')).toBe('Done');
    expect(eventText(leftOut(0, 1), 5, 'call')).toBe('1 call left out: its user is suppressed or erased');
    expect(eventText(leftOut(0, 2), 5, 'call')).toBe('2 calls left out: their users are suppressed or erased');
  });

  it('say why calls failed', () => {
    expect(
      [
        { reason: '422', count: 9 },
        { reason: 'mixed', count: 1 },
        { reason: 'expired', count: 1_200 },
        { reason: 'timed_out', count: 2 },
      ].map(groupText),
    ).toEqual(['9 \u00d7 422', '1 mixed', '1,200 expired', '2 timed out']);
    expect(failedText({ reason: '422' }, 'dddp.')).toEqual(['Declined', '422 from all three']);
    expect(failedText({ reason: '422' }, 'd....')).toEqual(['Declined', '422']);
    expect(failedText({ reason: '503' }, 'ff...')).toEqual(['Failed', '503 from both']);
    expect(failedText({ reason: '429' }, null)).toEqual(['Throttled', '429']);
    expect(failedText({ reason: '301' }, null)).toEqual(['Redirect', '301']);
    expect(failedText({ reason: 'timed_out' }, 'tt...')).toEqual(['Timed out', 'at both']);
    expect(failedText({ reason: 'expired' }, 'tt...')).toEqual(['Expired', '']);
    expect(failedText({ reason: 'mixed' }, 'dt...')).toEqual(['Failed', 'with different answers']);
    expect(failedText({ reason: null }, null)).toEqual(['Failed', '']);
  });

  it('promise that nobody is told twice', () => {
    const ledger = { expected: 10, delivered: 4, failed: 0, waiting: 6, unsent: 5, retrying: 0, open: 1 };
    expect(sentText(sync({ ledger }), 'member')).toBe('5 members sent, each in one message of its own; none twice');
    expect(sentText(sync({}), 'member')).toBe('Nothing is sent so far');
  });
});
