/** Messages in a store, and what its lists find and count of them step by step. */
import { expect } from 'vitest';
import type { ListFilter } from '../../src/core/model/filter.ts';
import type { CountedKey } from '../../src/core/model/filter-counted.ts';
import { folded } from '../../src/core/model/filter-pattern.ts';
import type { AttemptRecord, MessageRecord, RequestRecord } from '../../src/core/model/stored.ts';
import type { MessageState } from '../../src/core/model/vocabulary.ts';
import { messageRow } from './rows.ts';
import type { StoreUnderTest } from './store-under-test.ts';

/** A message with all that a filter can ask about it. */
export interface Listed {
  readonly message: MessageRecord;
  readonly wire: Uint8Array | null;
  readonly attempts: readonly AttemptRecord[];
  /** The response to each attempt. */
  readonly answers: ReadonlyArray<Uint8Array | null>;
  readonly request: RequestRecord | null;
  readonly received: Uint8Array | null;
}

export const bare = { wire: null, attempts: [], answers: [], request: null, received: null };

export type Counts = Partial<Record<MessageState, number>>;
export const everything = { filter: {}, before: Number.MAX_SAFE_INTEGER, after: 0 };
const onlyOneStep = () => false;

export function listing(store: () => StoreUnderTest) {
  function fill(all: readonly Listed[]): void {
    store().arrange.clear();
    for (const { message, wire, attempts, answers, request } of all) {
      if (request !== null) store().arrange.request(request);
      store().arrange.message(message, wire);
      for (const [i, attempt] of attempts.entries()) store().arrange.attempt(attempt, answers[i]);
    }
  }
  const put = (...ids: number[]): void => fill(ids.map((id) => ({ ...bare, message: messageRow(id) })));

  /** All pages of a scan that stops after every step. */
  function allPages(of: ListFilter, before: number, after: number, limit: number): number[] {
    const ids: number[] = [];
    for (let top = before; ; ) {
      const page = store().lists.ids({ filter: of, before: top, after, limit, keepGoing: onlyOneStep });
      expect(page.ids.length).toBeLessThanOrEqual(limit);
      ids.push(...page.ids);
      if (!page.more) return ids;
      expect(page.scannedTo).toBeLessThan(top);
      top = page.scannedTo;
    }
  }

  /** All steps of a tally that stops after each, added. */
  function wholeTally(of: ListFilter, before: number, after: number): Counts {
    const all: Counts = {};
    for (let top = before; ; ) {
      const step = store().lists.tally({ filter: of, before: top, after, keepGoing: onlyOneStep });
      for (const [name, n] of Object.entries(step.counts) as Array<[MessageState, number]>)
        all[name] = (all[name] ?? 0) + n;
      if (!step.more) return all;
      expect(step.scannedTo).toBeLessThan(top);
      top = step.scannedTo;
    }
  }

  /** All steps of a count of values that stops after each, added. Events that differ in case are one. */
  function wholeValues(key: CountedKey, of: ListFilter, before: number, after: number, most = 1_000) {
    const all = new Map<string, { value: string; n: number }>();
    for (let top = before; ; ) {
      const step = store().lists.values({ key, filter: of, before: top, after, most, keepGoing: onlyOneStep });
      for (const [value, n] of step.counts) {
        const name = key === 'event' ? folded(value) : value;
        all.set(name, { value, n: n + (all.get(name)?.n ?? 0) });
      }
      if (!step.more) return [...all.values()];
      expect(step.scannedTo).toBeLessThan(top);
      top = step.scannedTo;
    }
  }

  return { fill, put, allPages, wholeTally, wholeValues };
}
