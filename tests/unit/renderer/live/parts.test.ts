import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellPool } from '../../../../src/renderer/screens/live/grid/cell-pool.ts';
import { layoutOf, pxOf } from '../../../../src/renderer/screens/live/grid/columns.ts';
import { Slots } from '../../../../src/renderer/screens/live/grid/slots.ts';
import { Announcer } from '../../../../src/renderer/stores/live/announcer.ts';
import { wantedRuns } from '../../../../src/renderer/stores/live/fetch-plan.ts';
import { BUSY_INTERVAL_MS, Pace } from '../../../../src/renderer/stores/live/pace.ts';

describe('the pace of the list', () => {
  it('applies at once up to 50 messages a second, and four times a second above', () => {
    const pace = new Pace();
    pace.arrived(1_000, 100);
    pace.applied(1_000);
    expect(pace.wait(1_010)).toBe(0);
    pace.arrived(1_100, 1);
    expect(pace.busy(1_100)).toBe(true);
    expect(pace.wait(1_100)).toBe(BUSY_INTERVAL_MS - 100);
    expect(pace.wait(1_250)).toBe(0);
  });

  it('is calm again when the stream falls below 40 a second', () => {
    const pace = new Pace();
    pace.arrived(0, 200);
    expect(pace.busy(10)).toBe(true);
    pace.arrived(1_900, 85);
    expect(pace.busy(2_100)).toBe(true);
    expect(pace.busy(4_000)).toBe(false);
  });
});

describe('what is said aloud', () => {
  it('is one sentence for everything since the last one, at most every ten seconds', () => {
    const news = new Announcer();
    news.arrived(12);
    news.state(3, 'failed');
    expect(news.take(0)).toBe('12 new messages, 1 needs attention.');
    news.arrived(1);
    expect(news.take(9_999)).toBeNull();
    expect(news.take(10_000)).toBe('1 new message.');
    expect(news.take(20_000)).toBeNull();
  });

  it('forgets a message that was put right meanwhile', () => {
    const news = new Announcer();
    news.state(3, 'failed');
    news.state(3, 'delivered');
    expect(news.take(0)).toBeNull();
  });
});

describe('which rows are fetched', () => {
  it('starts with the screen, then 500 rows towards older ones and 200 behind', () => {
    const runs = wantedRuns({ from: 500, to: 530, speed: 0, count: 10_000 });
    expect(runs.map(({ from, to }) => [from, to])).toEqual([
      [500, 530],
      [531, 1030],
      [300, 499],
    ]);
    expect(runs[0]?.onScreen).toBe(true);
  });

  it('reaches further ahead the faster the list moves, in the direction of travel first', () => {
    const down = wantedRuns({ from: 5_000, to: 5_030, speed: 100, count: 100_000 });
    expect(down[1]).toMatchObject({ from: 5_031, to: 6_230, toNewer: false, limit: 500 });
    const up = wantedRuns({ from: 5_000, to: 5_030, speed: -100, count: 100_000 });
    expect(up[1]).toMatchObject({ from: 3_800, to: 4_999, toNewer: true, limit: 500 });
  });

  it('stays within the list', () => {
    fc.assert(
      fc.property(
        fc.nat(2000),
        fc.nat(60),
        fc.integer({ min: -700, max: 700 }),
        fc.nat(2000),
        (from, rows, speed, count) => {
          for (const run of wantedRuns({ from, to: from + rows, speed, count })) {
            expect(run.from).toBeGreaterThanOrEqual(0);
            expect(run.to).toBeLessThan(count);
            expect(run.from).toBeLessThanOrEqual(run.to);
          }
        },
      ),
    );
  });
});

describe('rows and day dividers as slots', () => {
  it('gives every row one slot, and every divider one above its row', () => {
    const slots = new Slots(
      5,
      [
        { position: 2, day: 'b' },
        { position: 4, day: 'c' },
      ],
      'a',
    );
    expect(slots.count).toBe(8);
    const drawn = Array.from({ length: 8 }, (_, slot) => slots.at(slot));
    expect(drawn.map((slot) => (slot.kind === 'day' ? slot.day : slot.position))).toEqual([
      'a',
      0,
      1,
      'b',
      2,
      3,
      'c',
      4,
    ]);
  });

  it('finds each row again, wherever the dividers stand', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.uniqueArray(fc.nat(39)), fc.boolean(), (rows, at, leading) => {
        const breaks = at.sort((a, b) => a - b).map((position) => ({ position, day: `d${position}` }));
        const slots = new Slots(rows, breaks, leading ? 'first' : null);
        for (let position = 0; position < rows; position += 1) {
          const slot = slots.ofPosition(position);
          expect(slots.at(slot)).toEqual({ kind: 'row', position });
          expect(slots.positionNear(slot)).toBe(position);
        }
        expect(slots.count).toBe(slots.ofPosition(rows - 1) + 1);
      }),
    );
  });
});

describe('the columns of the table', () => {
  it('are the six of the design at its width, and lose the user when the event gets too narrow', () => {
    expect(layoutOf(720, []).columns).toEqual(['received', 'type', 'event', 'user', 'hooks', 'state']);
    expect(layoutOf(540, []).columns).toEqual(['received', 'type', 'event', 'hooks', 'state']);
  });

  it('add the chosen ones as far as they fit', () => {
    const columns = ['received', 'type', 'event', 'source', 'hooks', 'state'];
    expect(layoutOf(680, ['source', 'size']).columns).toEqual(columns);
    expect(layoutOf(1200, ['source', 'size', 'round', 'messageId']).columns).toHaveLength(10);
  });

  /** What the template leaves to the event, in px. */
  const eventRoom = (width: number): number => {
    const { columns, template } = layoutOf(width, []);
    const others = [...template.matchAll(/(\d+)px/g)].reduce((sum, [, px]) => sum + Number(px), 0);
    return width - 36 - others - (columns.length - 1) * 12;
  };

  it('leave the event 140 px in the narrowest list, by drawings for types and times without milliseconds', () => {
    expect(layoutOf(528, []).tight).toBe(true);
    expect(eventRoom(528)).toBeGreaterThanOrEqual(140);
    expect(layoutOf(720, []).tight).toBe(false);
  });

  it('take the widths that the user chose, and show fewer columns when these need the room', () => {
    const wide = layoutOf(1200, ['source'], { received: 120, state: 200 });
    expect([pxOf(wide, 'received'), pxOf(wide, 'source'), wide.stateWidth, pxOf(wide, 'state')]).toEqual([
      120, 96, 200, 200,
    ]);
    expect(layoutOf(720, [], { state: 300 }).columns).not.toContain('user');
    expect(pxOf(layoutOf(528, [], { received: 120 }), 'received')).toBe(62);
  });

  it('share what the event has too much of with the state', () => {
    expect(layoutOf(720, []).stateWidth).toBe(140);
    expect(layoutOf(1200, []).stateWidth).toBeGreaterThanOrEqual(280);
    expect(eventRoom(1200)).toBeGreaterThan(320);
  });
});

describe('the rows of the page', () => {
  /** The cells that React moves in the DOM, and those that it makes. */
  function changesOf(before: readonly number[], after: readonly number[]) {
    let passed = -1;
    const [moved, made]: [number[], number[]] = [[], []];
    for (const cell of after) {
      const place = before.indexOf(cell);
      if (place === -1) made.push(cell);
      else if (place < passed) moved.push(cell);
      passed = Math.max(passed, place);
    }
    return { moved, made };
  }
  const keysOf = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => String(from + i));
  const afterwards = (first: readonly string[], next: readonly string[]) => {
    const pool = new CellPool();
    const [before, after] = [pool.assign(first), pool.assign(next)];
    return { before, after, ...changesOf(before, after) };
  };

  /** Draws frame after frame, and checks that each message keeps its cell. */
  function drawn(frames: readonly string[][], check = (_moved: readonly number[], _stayed: readonly number[]) => {}) {
    const pool = new CellPool();
    let before = new Map<string, number>();
    for (const keys of frames) {
      const cells = pool.assign(keys);
      expect(new Set(cells).size).toBe(cells.length);
      const now = new Map(keys.map((key, i) => [key, cells[i] as number]));
      const stayed = [...before].filter(([key]) => now.has(key));
      for (const [key, cell] of stayed) expect(now.get(key)).toBe(cell);
      check(
        changesOf([...before.values()], cells).moved,
        stayed.map(([, cell]) => cell),
      );
      before = now;
    }
  }
  const inAnyOrder = fc.uniqueArray(fc.nat(30), { maxLength: 10 });
  const inOrder = inAnyOrder.map((ids) => ids.sort((a, b) => a - b));
  const framesOf = (frame: fc.Arbitrary<number[]>) =>
    fc.array(
      frame.map((ids) => ids.map(String)),
      { maxLength: 12 },
    );

  it('stay with their message while it is drawn, and none of those that stay is moved', () => {
    fc.assert(
      fc.property(framesOf(inOrder), (frames) =>
        drawn(frames, (moved, stayed) => expect(moved.filter((cell) => stayed.includes(cell))).toEqual([])),
      ),
    );
  });

  it('stand in any order, and still stay with their message', () => {
    fc.assert(fc.property(framesOf(inAnyOrder), (frames) => drawn(frames)));
  });

  it('are used again where they stand for the rows of another list', () => {
    const { before, after } = afterwards(keysOf(100, 30), keysOf(500, 30));
    expect(after).toEqual(before);
  });

  it('are used again at the end while the list scrolls to older rows, and nothing else moves', () => {
    const { before, moved, made } = afterwards(keysOf(100, 30), keysOf(103, 30));
    expect([moved, made]).toEqual([before.slice(0, 3), []]);
  });

  it('stay where they are when rows come in above them', () => {
    const { moved, made } = afterwards(keysOf(100, 30), keysOf(98, 30));
    expect([moved.length, made.length]).toEqual([0, 2]);
  });
});
