import { describe, expect, it } from 'vitest';
import type { MessageFilter } from '../../../../src/contract/commands.ts';
import { inTurns } from '../../../../src/renderer/stores/live/in-turns.ts';
import { SavedCounts } from '../../../../src/renderer/stores/live/saved-counts.ts';

const settle = async () => {
  for (let i = 0; i < 50; i += 1) await Promise.resolve();
};

/** A clock that is moved by hand, and steps that take until they are answered. */
function setUp() {
  let now = 0;
  const timers: Array<{ at: number; run: () => void }> = [];
  const advance = async (ms: number) => {
    await settle();
    now += ms;
    for (const timer of timers.splice(0)) {
      if (timer.at <= now) timer.run();
      else timers.push(timer);
    }
    await settle();
  };
  const deps = { now: () => now, after: (ms: number, run: () => void) => void timers.push({ at: now + ms, run }) };
  return { deps, advance };
}

describe('work that nobody waits for', () => {
  it('is done one step at a time, and rests as long as each step took', async () => {
    const { deps, advance } = setUp();
    const turn = inTurns(deps);
    const began: string[] = [];
    const answers: Array<() => void> = [];
    const step = (name: string) => () => {
      began.push(name);
      return new Promise<string>((answered) => answers.push(() => answered(name)));
    };
    const first = turn(step('first'));
    const second = turn(step('second'));
    await advance(7);
    expect(began).toEqual(['first']);
    answers[0]!();
    expect(await first).toBe('first');
    await advance(6);
    expect(began).toEqual(['first']);
    await advance(1);
    expect(began).toEqual(['first', 'second']);
    answers[1]!();
    expect(await second).toBe('second');
  });

  it('waits while somebody waits for something else', async () => {
    const { deps, advance } = setUp();
    let isHeld = true;
    const turn = inTurns({ ...deps, isHeld: () => isHeld });
    const began: string[] = [];
    const step = turn(async () => began.push('step'));
    for (let i = 0; i < 10; i += 1) await advance(50);
    expect(began).toEqual([]);
    isHeld = false;
    await advance(50);
    await step;
    expect(began).toEqual(['step']);
  });

  it('is put off for a second at most, however long somebody waits', async () => {
    const { deps, advance } = setUp();
    const turn = inTurns({ ...deps, isHeld: () => true });
    const began: string[] = [];
    void turn(async () => began.push('step'));
    for (let i = 0; i < 19; i += 1) await advance(50);
    expect(began).toEqual([]);
    await advance(50);
    expect(began).toEqual(['step']);
  });

  it('goes on after a step that failed', async () => {
    const { deps } = setUp();
    const turn = inTurns(deps);
    const failed = turn(() => Promise.reject(new Error('no connection')));
    const next = turn(() => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('no connection');
    expect(await next).toBe('next');
  });
});

describe('the numbers of saved filters', () => {
  const filterOf = (text: string): MessageFilter => ({ terms: [{ key: 'text', values: [text] }] });

  /** An engine with 30 messages that counts 10 an answer in 5 ms; how many it was asked for at once at most. */
  function engine() {
    const { deps, advance } = setUp();
    const asked = { open: 0, most: 0, times: 0 };
    const wholes: unknown[] = [];
    const call = async (_name: string, { before = 31, after = 0 }: { before?: number; after?: number }) => {
      if (before === 31 && after === 0) wholes.push(asked.times);
      asked.times += 1;
      asked.open += 1;
      asked.most = Math.max(asked.most, asked.open);
      await new Promise<void>((answered) => deps.after(5, answered));
      asked.open -= 1;
      const to = before - 10;
      return { counts: { failed: 10 }, scannedTo: to, more: to > Math.max(1, after), newest: 30, oldest: 1, total: 30 };
    };
    const saved = new SavedCounts({ ...deps, call: call as never, onChange: () => {} });
    return { saved, advance, asked, wholes };
  }

  it('are counted one filter at a time', async () => {
    const { saved, advance, asked } = engine();
    const filters = ['a', 'b', 'c', 'd'].map(filterOf);
    saved.watch(filters);
    for (let i = 0; i < 24; i += 1) await advance(5);
    expect(filters.map((filter) => saved.of(filter))).toEqual([30, 30, 30, 30]);
    expect(asked).toEqual({ open: 0, most: 1, times: 12 });
  });

  it('are counted again by what their own steps took, not by how long they waited for the others', async () => {
    const { saved, advance, wholes } = engine();
    saved.watch(['a', 'b', 'c', 'd'].map(filterOf));
    for (let i = 0; i < 24; i += 1) await advance(5);
    // Each took 15 ms, and 50 times as much passes before it is counted anew.
    for (let i = 0; i < 155; i += 1) await advance(5);
    expect(wholes).toHaveLength(4);
    saved.changed();
    for (let i = 0; i < 80; i += 1) await advance(5);
    expect(wholes).toHaveLength(8);
  });

  it('are not counted further for a filter that is gone', async () => {
    const { saved, advance, asked } = engine();
    saved.watch(['a', 'b'].map(filterOf));
    await advance(1);
    saved.watch([filterOf('b')]);
    for (let i = 0; i < 12; i += 1) await advance(5);
    expect(saved.of(filterOf('a'))).toBeNull();
    expect(saved.of(filterOf('b'))).toBe(30);
    expect(asked.times).toBe(4);
  });
});
