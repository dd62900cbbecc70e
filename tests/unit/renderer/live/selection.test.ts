import { describe, expect, it } from 'vitest';
import { RankList } from '../../../../src/renderer/stores/live/rank-list.ts';
import { Selection } from '../../../../src/renderer/stores/live/selection.ts';

/** A list of `total` rows of which only the newest ten are known, over an engine that answers `page` ids at once. */
function setUp(total: number, page = 4) {
  const list = new RankList(() => 'one day');
  const stored = new Set(Array.from({ length: total }, (_, n) => n + 1));
  const newest = [...stored].slice(-10).map((id) => ({ id, receivedAt: 0 }));
  list.restart(total, newest, false);
  const failures: unknown[] = [];
  let failing: Error | null = null;
  const waiting: Array<() => void> = [];
  const call = async (_: string, { after, before }: { after: number; before: number }) => {
    await new Promise<void>((done) => void waiting.push(done));
    if (failing !== null) throw failing;
    const ids = [...stored].filter((id) => id > after && id < before).sort((a, b) => b - a);
    const part = ids.slice(0, page);
    return { ids: part, scannedTo: part.at(-1) ?? after + 1, more: ids.length > page };
  };
  const selection = new Selection({
    call: call as never,
    after: (_, run) => run(),
    shown: () => ({ list, filter: {} as never, hidden: new Set([99_999]) }),
    onFailure: (error) => void failures.push(error),
  });
  const turn = async () => {
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
  };
  /** Lets so many requests be answered. */
  const answer = async (count = 1) => {
    await turn();
    for (let i = 0; i < count; i += 1) {
      waiting.shift()?.();
      await turn();
    }
  };
  const all = () => selection.snapshot().ids();
  const fail = (error: Error | null) => {
    failing = error;
  };
  return { list, stored, selection, answer, all, fail, failures, waiting };
}

describe('a selection', () => {
  it('reads the ids of a range page by page, and says so until it is done', async () => {
    const { selection, answer, all } = setUp(30);
    selection.toggle(25);
    selection.extendTo(16, null);
    expect(selection.snapshot()).toMatchObject({ reading: true });
    await answer();
    expect(all()).toEqual([16, 22, 23, 24, 25]);
    expect(selection.snapshot().reading).toBe(true);
    await answer(2);
    expect(all()).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
    expect(selection.snapshot().reading).toBe(false);
  });

  it('asks for nothing where the list knows every row of the range', async () => {
    const { selection, all, waiting } = setUp(30);
    selection.extendTo(22, 29);
    expect(all()).toEqual([22, 23, 24, 25, 26, 27, 28, 29]);
    expect(waiting).toHaveLength(0);
  });

  it('drops a range that a newer one replaces, also when its answer comes late', async () => {
    const { selection, answer, all } = setUp(30);
    selection.toggle(25);
    selection.extendTo(2, null);
    await answer(2);
    selection.extendTo(24, null);
    await answer(5);
    expect(all()).toEqual([24, 25]);
    expect(selection.snapshot().reading).toBe(false);
  });

  it('leaves alone what the user chooses while all are read', async () => {
    const { selection, answer, all } = setUp(12);
    selection.selectAll();
    await answer();
    selection.toggle(12);
    selection.toggle(3);
    selection.toggle(3);
    await answer(4);
    expect(all()).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('keeps what was read when the rest fails, and tells the failure', async () => {
    const { selection, answer, all, fail, failures } = setUp(12);
    selection.selectAll();
    await answer();
    fail(new Error('no answer'));
    await answer();
    expect(failures).toEqual([new Error('no answer')]);
    expect(all()).toEqual([9, 10, 11, 12]);
    expect(selection.snapshot().reading).toBe(false);
  });

  it('stops reading when it is cleared', async () => {
    const { selection, answer, all } = setUp(12);
    selection.selectAll();
    await answer();
    selection.clear();
    await answer(3);
    expect(all()).toEqual([]);
  });

  it('leaves out what Clear hid, and rows that are held', async () => {
    const { list, stored, selection, answer, all } = setUp(5);
    list.clear();
    for (const id of [6, 7]) stored.add(id);
    list.arrive(
      [6, 7].map((id) => ({ id, receivedAt: 0 })),
      false,
    );
    stored.add(8);
    list.arrive([{ id: 8, receivedAt: 0 }], true);
    selection.selectAll();
    await answer(2);
    expect(all()).toEqual([6, 7]);
  });

  it('keeps after missed changes only what is still stored', async () => {
    const { stored, selection, answer, all } = setUp(30);
    for (const id of [3, 9, 28]) selection.toggle(id);
    stored.delete(9);
    selection.recheck();
    await answer(20);
    expect(all()).toEqual([3, 28]);
  });

  it('holds ten thousand and more', async () => {
    const { selection, answer, all } = setUp(25_000, 10_000);
    selection.selectAll();
    await answer(3);
    expect(all()).toHaveLength(25_000);
  });
});
