import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { matches } from '../../../src/core/model/filter.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { MESSAGE_STATES, type MessageState } from '../../../src/core/model/vocabulary.ts';
import type { CountPage, IdPage, ListStore, Scan, StateCount } from '../../../src/core/store/ports/lists.ts';
import type { Tables } from './tables.ts';

/** Small, so that every test takes several steps. */
const STEP_ROWS = 7;

export class MemoryLists implements ListStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  window(firstId: number, count: number): MessageRecord[] {
    return this.#tables.messages.where(({ id }) => id >= firstId).slice(0, count);
  }

  message(id: number): MessageRecord | undefined {
    return this.#tables.messages.get(id);
  }

  messages(ids: Iterable<number>): MessageRecord[] {
    return [...ids].flatMap((id) => this.message(id) ?? []);
  }

  ids({ limit, ...scan }: Scan & { readonly limit: number }): IdPage {
    const ids: number[] = [];
    for (const { found, bottom } of this.#steps(scan)) {
      ids.push(...found.map(({ id }) => id));
      const isFull = ids.length >= limit;
      ids.length = Math.min(ids.length, limit);
      const scannedTo = isFull ? ids.at(-1)! : bottom;
      const more = scannedTo > scan.after + 1;
      if (isFull || !more || !scan.keepGoing()) return { ids, scannedTo, more };
    }
    throw new Error('a scan ends with its range');
  }

  tally(scan: Scan): CountPage {
    const counts: Partial<Record<MessageState, number>> = {};
    for (const { found, bottom } of this.#steps(scan)) {
      for (const { state } of found) counts[state] = (counts[state] ?? 0) + 1;
      const more = bottom > scan.after + 1;
      if (!more || !scan.keepGoing()) return { counts, scannedTo: bottom, more };
    }
    throw new Error('a scan ends with its range');
  }

  *#steps({ filter, before, after }: Scan): Generator<{ found: MessageRecord[]; bottom: number }> {
    const all = this.#tables.messages.all().reverse();
    for (let top = before; ; ) {
      const bottom = Math.max(after + 1, top - STEP_ROWS);
      const range = all.filter(({ id }) => id < top && id >= bottom);
      yield { found: range.filter((message) => this.#matches(filter, message)), bottom };
      top = bottom;
    }
  }

  #matches(filter: Scan['filter'], message: MessageRecord): boolean {
    const wire = this.#tables.bodies.get(message.id)?.wire ?? null;
    const attempts = this.#tables.attempts.where(({ messageId }) => messageId === message.id);
    const request = this.#tables.requests.get(message.requestId);
    const received = request === undefined ? null : receivedCalls(request)(message.position);
    const responses = attempts.flatMap(({ responseBody }) => responseBody ?? []);
    return matches(filter, { message, wire, attempts, received, responses });
  }

  counts(): StateCount[] {
    const messages = this.#tables.messages.all();
    return MESSAGE_STATES.map((state) => ({ state, n: messages.filter((one) => one.state === state).length }));
  }

  idRange(): { first: number; last: number } | null {
    const ids = [...this.allIds()];
    return ids.length === 0 ? null : { first: ids[0]!, last: ids.at(-1)! };
  }

  allIds(): number[] {
    return this.#tables.messages.all().map(({ id }) => id);
  }
}
