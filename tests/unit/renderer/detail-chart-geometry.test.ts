import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DrawnRoundView, ScheduleView } from '../../../src/contract/rules.ts';
import type { AttemptView } from '../../../src/contract/values.ts';
import { axisTicks, timeAxis } from '../../../src/renderer/lib/time-axis.ts';
import { type ChartInput, cellOf, chartOf, mergeMarks } from '../../../src/renderer/screens/detail/chart-geometry.ts';

const HOUR = 3_600_000;
const FIRST = 1_000_000;
/** Round 1 is past, round 2 due 70 s after it, the rest planned. */
const schedule = (offsets: readonly number[] = [0, 70_000, 600_000, 3 * HOUR]): ScheduleView => ({
  rounds: offsets.map((offset, i): DrawnRoundView => {
    const kind = i === 0 ? 'past' : i === 1 ? 'due' : 'planned';
    return { round: i + 1, kind, at: FIRST + offset, wallAt: null };
  }),
  windowEndsAt: FIRST + 4 * HOUR,
  more: false,
});

function attempt(part: Partial<AttemptView>): AttemptView {
  return {
    id: 1,
    messageId: 1,
    replayId: null,
    webhookId: 1,
    slot: 1,
    webhookName: `Hook ${part.webhookId ?? 1}`,
    url: URL_OF_ALL,
    round: 1,
    startedAt: 0,
    clockAt: 1_000_000,
    outcome: 'failed',
    reason: null,
    detail: null,
    status: 503,
    statusText: '',
    durationMs: 10,
    phases: null,
    requestHeaders: [],
    responseHeaders: [],
    responseBytes: 0,
    responseCut: false,
    redirectedTo: null,
    certificate: null,
    ...part,
  };
}
const URL_OF_ALL = 'http://127.0.0.1/';
const webhooks = [1, 2, 3].map((n) => ({ id: n, slot: n, name: `Hook ${n}`, url: URL_OF_ALL, enabled: n !== 3 }));
const input = (part: Partial<ChartInput>): ChartInput => ({
  attempts: [attempt({})],
  webhooks,
  lineUps: [],
  firstAt: 1_000_000,
  windowEndsAt: 1_000_000 + 4 * HOUR,
  nowAt: 1_060_000,
  schedule: schedule(),
  final: false,
  retriesDeclined: false,
  width: 318,
  ...part,
});

describe('time axis', () => {
  it('starts at 0, ends at the window and never goes back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 7 * 24 * HOUR }),
        fc.integer({ min: 60, max: 2000 }),
        fc.array(fc.integer({ min: -1000, max: 8 * 24 * HOUR }), { maxLength: 20 }),
        (windowMs, width, offsets) => {
          const axis = timeAxis(windowMs, width);
          expect(axis(0)).toBe(0);
          expect(axis(Math.max(1, windowMs))).toBeCloseTo(width, 6);
          const xs = offsets.sort((a, b) => a - b).map(axis);
          for (let i = 1; i < xs.length; i += 1) expect(xs[i]).toBeGreaterThanOrEqual(xs[i - 1]! - 1e-9);
          for (const x of xs) expect(x >= 0 && x <= width + 1e-6).toBe(true);
        },
      ),
    );
  });

  it('gives equal room to equal ratios after the first seconds', () => {
    const axis = timeAxis(4 * HOUR, 318);
    expect(axis(600_000) - axis(60_000)).toBeCloseTo(axis(60_000) - axis(6_000), 6);
  });

  it('labels the default window with 0, 10 s, 1 min, 10 min, 1 h and 4 h', () => {
    expect(axisTicks(4 * HOUR, 318).map((tick) => tick.label)).toEqual(['0', '10 s', '1 min', '10 min', '1 h', '4 h']);
  });

  it('drops labels that have no room, never 0 and the end', () => {
    for (const width of [60, 120, 200, 900]) {
      const ticks = axisTicks(4 * HOUR, width);
      expect(ticks[0]?.label).toBe('0');
      expect(ticks.at(-1)?.label).toBe('4 h');
      for (let i = 1; i < ticks.length - 1; i += 1) expect(ticks[i]!.x - ticks[i - 1]!.x).toBeGreaterThanOrEqual(36);
    }
  });

  it('works for short windows of tests', () => {
    expect(axisTicks(1_000, 318).map((tick) => tick.label)).toEqual(['0', '100 ms', '1 s']);
  });
});

describe('merging of marks', () => {
  it('keeps marks that stand 12 px apart', () => {
    expect(mergeMarks([0, 12, 24].map((x, k) => ({ x, cell: 'f' as const, round: k + 1 })))).toHaveLength(3);
  });

  it('merges closer ones and counts them', () => {
    const marks = mergeMarks([0, 5, 11.9, 12].map((x, k) => ({ x, cell: 'f' as const, round: k + 1 })));
    expect(marks.map((mark) => [mark.x, mark.count, mark.firstRound, mark.lastRound])).toEqual([
      [0, 3, 1, 3],
      [12, 1, 4, 4],
    ]);
  });

  it('shows an acceptance over all else, and the newest otherwise', () => {
    expect(
      mergeMarks([
        { x: 0, cell: 'f', round: 1 },
        { x: 3, cell: 't', round: 2 },
      ])[0]?.cell,
    ).toBe('t');
    expect(
      mergeMarks([
        { x: 0, cell: 'a', round: 1 },
        { x: 3, cell: 't', round: 2 },
      ])[0]?.cell,
    ).toBe('a');
    expect(
      mergeMarks([
        { x: 0, cell: 't', round: 1 },
        { x: 3, cell: 'a', round: 2 },
      ])[0]?.cell,
    ).toBe('a');
  });

  it('never lets two marks or their counts overlap and loses none', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 320, noNaN: true }), { maxLength: 400 }), (xs) => {
        const marks = mergeMarks(xs.sort((a, b) => a - b).map((x, k) => ({ x, cell: 'f' as const, round: k + 1 })));
        expect(marks.reduce((sum, mark) => sum + mark.count, 0)).toBe(xs.length);
        for (let i = 1; i < marks.length; i += 1)
          expect(marks[i]!.x - marks[i - 1]!.x).toBeGreaterThanOrEqual(marks[i - 1]!.count >= 10 ? 16 : 12);
      }),
    );
  });
});

describe('chart', () => {
  it('draws only own attempts, each in the lane of its webhook', () => {
    const chart = chartOf(
      input({
        attempts: [
          attempt({ id: 1 }),
          attempt({ id: 2, webhookId: 2, slot: 2, outcome: 'timed_out', status: null }),
          attempt({ id: 3, replayId: 9, clockAt: 1_030_000, outcome: 'accepted' }),
        ],
      }),
    );
    expect(chart.lanes.map((lane) => lane.marks.map((mark) => mark.cell).join(''))).toEqual(['f', 't', '']);
  });

  it('waits in every lane but paused, declined and removed ones', () => {
    const chart = chartOf(
      input({
        attempts: [
          attempt({}),
          attempt({ id: 2, webhookId: 2, slot: 2, outcome: 'declined', status: 410 }),
          attempt({ id: 3, webhookId: 77, slot: 4, webhookName: 'Old' }),
        ],
      }),
    );
    expect(chart.lanes.map((lane) => [lane.name, lane.note, lane.waiting])).toEqual([
      ['Hook 1', null, true],
      ['Hook 2', 'Declined', false],
      ['Hook 3', 'Paused', false],
      ['Old', 'Removed', false],
    ]);
  });

  it('has neither now line nor next round once the message is final', () => {
    const chart = chartOf(input({ final: true }));
    expect(chart.now).toBeNull();
    expect(chart.next).toBeNull();
    expect(chart.later).toEqual([]);
    expect(chart.lanes.every((lane) => !lane.waiting)).toBe(true);
  });

  it("draws the rounds of the engine's schedule where it puts them", () => {
    const chart = chartOf(input({}));
    const axis = timeAxis(4 * HOUR, 318);
    expect(chart.next).toEqual({ x: axis(70_000), offsetMs: 70_000 });
    expect(chart.later).toEqual([axis(600_000), axis(3 * HOUR)]);
  });

  it('has planned rounds but no next one while a round is under way', () => {
    const under = schedule();
    under.rounds.splice(1, 1);
    const chart = chartOf(input({ schedule: under }));
    expect(chart.next).toBeNull();
    expect(chart.later).toHaveLength(2);
    expect(chart.lanes[0]?.waiting).toBe(true);
    expect(chartOf(input({ schedule: null })).lanes[0]?.waiting).toBe(false);
  });

  it('never piles planned rounds up, nor draws one before now', () => {
    const crowd = schedule([0, 70_000, ...Array.from({ length: 90 }, (_, i) => 71_000 + i * 1_000)]);
    const { later, next } = chartOf(input({ schedule: crowd }));
    let before = next!.x;
    for (const x of later) {
      expect(x - before).toBeGreaterThanOrEqual(12);
      before = x;
    }
    expect(later.length).toBeLessThan(10);
    expect(chartOf(input({ nowAt: FIRST + 3.9 * HOUR })).later).toEqual([]);
  });

  it('waits in the lane of a webhook that declined when the rules retry that', () => {
    const attempts = [attempt({ outcome: 'declined', status: 410 })];
    const [lane] = chartOf(input({ attempts, retriesDeclined: true })).lanes;
    expect([lane?.note, lane?.waiting]).toEqual([null, true]);
  });

  it('has a lane for each name and address that a webhook had, by the place of then', () => {
    const attempts = [
      attempt({ id: 1, webhookName: 'First name' }),
      attempt({ id: 2, webhookId: 2, slot: 2 }),
      attempt({ id: 3, url: 'http://127.0.0.1/other', clockAt: 1_100_000 }),
      attempt({ id: 4, clockAt: 1_200_000 }),
      attempt({ id: 5, webhookId: 77, slot: 1, webhookName: 'Gone' }),
    ];
    const { lanes } = chartOf(input({ attempts, webhooks: webhooks.slice(0, 2) }));
    expect(lanes.map(({ slot, name, note, waiting, marks }) => [slot, name, note, waiting, marks.length])).toEqual([
      [1, 'First name', 'Earlier', false, 1],
      [1, 'Hook 1', 'Earlier', false, 1],
      [1, 'Gone', 'Removed', false, 1],
      [1, 'Hook 1', null, true, 1],
      [2, 'Hook 2', null, true, 1],
    ]);
  });

  it('shows of a final message the webhooks of its last round and not what was added since', () => {
    const hook = (id: number, enabled = true) => ({ id, slot: id, name: `Hook ${id}`, enabled });
    const lineUps = [
      { afterAttempt: 0, webhooks: [hook(1), hook(2)] },
      { afterAttempt: 5, webhooks: [hook(1), hook(4, false)] },
    ];
    const { lanes } = chartOf(input({ final: true, lineUps }));
    expect(lanes.map(({ name, note, waiting }) => [name, note, waiting])).toEqual([
      ['Hook 1', null, false],
      ['Hook 4', 'Paused', false],
    ]);
  });

  it('tells a redirect from another refusal', () => {
    expect(cellOf(attempt({ outcome: 'declined', status: 302 }))).toBe('m');
    expect(cellOf(attempt({ outcome: 'declined', status: 410 }))).toBe('d');
    expect(cellOf(attempt({ outcome: null }))).toBe('s');
  });
});
