/** A live stream over a store and a clock of the test. */
import type { MessageFilter } from '../../src/contract/filter.ts';
import type { ChangeBatch } from '../../src/contract/live.ts';
import type { MessageRow, StatusView } from '../../src/contract/values.ts';
import { matches as matchesFilter } from '../../src/core/model/filter.ts';
import type { DayOf } from '../../src/renderer/stores/live/list.ts';
import { LiveStream } from '../../src/renderer/stores/live/stream.ts';
import { fakeMessage } from './fake-values.ts';

/** A store, a clock that is moved by hand, and the stream over them. */
export function setUpStream(count: number, dayOf: DayOf = () => 'one day') {
  const store = new Map<number, MessageRow>();
  const cache = new Map<number, MessageRow>();
  const asked: Array<{ name: string; input: Record<string, unknown> }> = [];
  const timers: Array<{ at: number; run: () => void }> = [];
  let now = 1_000_000;
  let failing: Error | null = null;
  const selectFailures: unknown[] = [];
  /** Answers in place of the store's. */
  const answers = new Map<string, () => unknown>();
  /** Commands that get no answer. */
  const unanswered = new Set<string>();
  const add = (id: number, change: Partial<MessageRow> = {}) => {
    const row = { ...fakeMessage(id), ...change };
    store.set(id, row);
    return row;
  };
  for (let id = 1; id <= count; id += 1) add(id);
  const matches = (row: MessageRow, filter: unknown) =>
    matchesFilter(filter as MessageFilter, { message: row, wire: null, attempts: [], received: null, responses: [] });
  const answer = (name: string, input: Record<string, unknown>): unknown => {
    const rows = [...store.values()].sort((a, b) => a.id - b.id);
    if (name === 'messages.window') {
      const from = input.fromRank as number;
      return { total: rows.length, rows: rows.slice(from, from + (input.count as number)) };
    }
    if (name === 'messages.byIds') return (input.ids as number[]).map((id) => store.get(id)).filter((row) => row);
    if (name === 'messages.counts') {
      const counts: Record<string, number> = {};
      for (const row of rows)
        if (
          row.id > ((input.after as number) ?? 0) &&
          row.id < ((input.before as number) ?? Infinity) &&
          matches(row, input.filter)
        )
          counts[row.state] = (counts[row.state] ?? 0) + 1;
      return {
        counts,
        scannedTo: 1,
        more: false,
        newest: rows.at(-1)?.id ?? 0,
        oldest: rows[0]?.id ?? 0,
        total: rows.length,
      };
    }
    const [before, after] = [(input.before as number) ?? Infinity, (input.after as number) ?? 0];
    const ids = rows
      .filter((row) => row.id < before && row.id > after && matches(row, input.filter))
      .map(({ id }) => id)
      .reverse();
    const first = ids.slice(0, (input.rows as number) ?? 0);
    return { ids, rows: first.map((id) => store.get(id)), scannedTo: 1, more: false };
  };
  const stream = new LiveStream({
    call: (async (name: string, input: Record<string, unknown>) => {
      asked.push({ name, input });
      if (failing !== null) throw failing;
      if (unanswered.has(name)) return new Promise(() => {});
      return answers.get(name)?.() ?? answer(name, input);
    }) as never,
    getRow: (id) => cache.get(id),
    cacheRows: (rows) => {
      for (const row of rows) cache.set(row.id, row);
    },
    now: () => now,
    after: (ms, run) => void timers.push({ at: now + ms, run }),
    dayOf,
    sources: () => [],
    onSelectFailure: (error) => void selectFailures.push(error),
  });
  const batch = (messages: MessageRow[], part: Partial<ChangeBatch> = {}) => {
    for (const row of messages) {
      store.set(row.id, row);
      cache.set(row.id, row);
    }
    const status = { total: store.size } as StatusView;
    stream.batch({ seq: 1, reset: false, messages, removedMessages: [], parts: { status }, ...part });
  };
  const advance = (ms: number) => {
    now += ms;
    for (const timer of timers.splice(0)) {
      if (timer.at <= now) timer.run();
      else timers.push(timer);
    }
  };
  const shown = () => Array.from({ length: stream.snapshot().count }, (_, p) => stream.snapshot().list.idAt(p));
  const settle = async () => {
    for (let i = 0; i < 20; i += 1) await Promise.resolve();
  };
  const searches = () => asked.filter(({ name }) => name === 'messages.ids').length;
  const fail = (error: Error | null) => {
    failing = error;
  };
  return {
    stream,
    store,
    asked,
    answers,
    unanswered,
    searches,
    add,
    batch,
    advance,
    shown,
    settle,
    fail,
    selectFailures,
  };
}

/** One that has loaded its first pages. */
export async function startedStream(count: number, dayOf?: DayOf) {
  const all = setUpStream(count, dayOf);
  all.stream.connected(count, true);
  await all.settle();
  return all;
}
