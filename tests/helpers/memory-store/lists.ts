import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { hasMark, matches } from '../../../src/core/model/filter.ts';
import type { CountedKey } from '../../../src/core/model/filter-counted.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { MARKS, MESSAGE_STATES, type MessageState } from '../../../src/core/model/vocabulary.ts';
import type {
  CountPage,
  IdPage,
  ListStore,
  Scan,
  StateCount,
  ValuePage,
  ValueScan,
} from '../../../src/core/store/ports/lists.ts';
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

  values({ key, most, ...scan }: ValueScan): ValuePage {
    const counts = new Map<string, number>();
    for (const { found, bottom } of this.#steps(scan)) {
      for (const message of found)
        for (const value of new Set(this.#valuesOf(key, message))) counts.set(value, (counts.get(value) ?? 0) + 1);
      const more = bottom > scan.after + 1;
      if (!more || counts.size >= most || !scan.keepGoing()) return { counts: [...counts], scannedTo: bottom, more };
    }
    throw new Error('a scan ends with its range');
  }

  #valuesOf(key: CountedKey, message: MessageRecord): string[] {
    const attempts = this.#tables.attempts.where(({ messageId }) => messageId === message.id);
    switch (key) {
      case 'type':
        return [message.type];
      case 'status':
        return [message.state];
      case 'source':
        return message.sourceId === null ? [] : [String(message.sourceId)];
      case 'reason':
        return message.reason === null ? [] : [message.reason];
      case 'event':
        return message.name === '' || [...message.name].length > 200 ? [] : [message.name];
      case 'note':
        return message.notes.map(({ code }) => code);
      case 'is':
        return MARKS.filter((mark) => hasMark(mark, message));
      case 'code':
        return attempts.flatMap(({ status }) => (status === null ? [] : [String(status), `${String(status)[0]}xx`]));
      case 'hook': {
        const tried = attempts.filter(({ replayId }) => replayId === null).map(({ slot }) => String(slot));
        return [...tried, ...[...message.cells].map((cell, i) => `${i + 1}=${cell}`)];
      }
    }
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
