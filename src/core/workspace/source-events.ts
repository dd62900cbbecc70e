/** The track events of a source, for the switches: those that are stored, and those that are off. */
import { MAX_EVENT_NAME } from '../../contract/names.ts';
import type { SourceEvent, SourceEvents } from '../../contract/values.ts';
import type { Source } from '../model/records.ts';
import type { Timers } from '../ports.ts';
import type { ListStore } from '../store/ports/lists.ts';
import type { EventCount, SourceEventStore } from '../store/ports/source-events.ts';

/** Rows in one step. 2,500 take 2 ms when each has a different event. Other work runs between two steps. */
const STEP = 2_500;
/** At most this many events are listed. Nobody reads more, and a client may put an id into each name. */
const MAX_EVENTS = 500;

interface Deps {
  readonly lists: Pick<ListStore, 'idRange'>;
  readonly events: SourceEventStore;
  readonly timers: Timers;
}

export async function sourceEvents(source: Source, deps: Deps): Promise<SourceEvents> {
  const found = await countAll(source.id, deps);
  for (const name of source.eventsOff)
    if (!found.has(name)) found.set(name, { name, received: 0, off: 0, lastAt: null, whole: true });
  const all = [...found.values()].sort(
    (a, b) =>
      Number(source.eventsOff.has(b.name)) - Number(source.eventsOff.has(a.name)) ||
      b.received - a.received ||
      (a.name < b.name ? -1 : 1),
  );
  const listed = Math.max(MAX_EVENTS, source.eventsOff.size);
  return { events: all.slice(0, listed), more: Math.max(0, all.length - listed) };
}

async function countAll(sourceId: number, { lists, events, timers }: Deps): Promise<Map<string, SourceEvent>> {
  const found = new Map<string, SourceEvent>();
  const range = lists.idRange();
  if (range === null) return found;
  for (let after = range.first - 1; after < range.last; after += STEP) {
    for (const count of events.counts({ sourceId, after, upTo: Math.min(after + STEP, range.last) })) add(found, count);
    await new Promise<void>((resolve) => timers.soon(resolve));
  }
  return found;
}

function add(found: Map<string, SourceEvent>, { name, received, off, lastAt }: EventCount): void {
  const before = found.get(name);
  found.set(name, {
    name,
    received: received + (before?.received ?? 0),
    off: off + (before?.off ?? 0),
    lastAt: Math.max(lastAt, before?.lastAt ?? 0),
    whole: !(name.length === MAX_EVENT_NAME && name.endsWith('…')),
  });
}
