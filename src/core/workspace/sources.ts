/** The sources of a workspace: each has a write key. */
import type { Config } from '../../contract/config.ts';
import { ContractError } from '../../contract/errors.ts';
import { MAX_EVENTS_OFF } from '../../contract/names.ts';
import type { Source, SourceKind } from '../model/records.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { SourceStore } from '../store/ports/workspace.ts';
import { Kept } from './kept.ts';
import { ConfigValueError, type SettingsOwner } from './settings-owner.ts';

/** How many sources `acceptAnyKey` may make by itself (decisions, Ingest). */
const MAX_MADE_BY_KEY = 50;

export interface SourceEdit {
  readonly id?: number;
  readonly name: string;
  readonly writeKey?: string;
  readonly kind: SourceKind;
  readonly enabled: boolean;
  readonly webhooks: boolean;
}

export interface EventSwitch {
  readonly id: number;
  readonly event: string;
  readonly on: boolean;
}

export interface SourcesDeps {
  readonly store: SourceStore;
  readonly write: Writer['write'];
  readonly clock: Clock;
  readonly ids: Ids;
  changed(): void;
}

export class Sources implements SettingsOwner {
  readonly #deps: SourcesDeps;
  readonly #kept: Kept<{ readonly all: readonly Source[]; readonly byKey: ReadonlyMap<string, Source> }>;

  constructor(deps: SourcesDeps) {
    this.#deps = deps;
    const read = () => {
      const all = deps.store.all();
      return { all, byKey: new Map(all.map((source) => [source.writeKey, source])) };
    };
    this.#kept = new Kept(deps.write, read, deps.changed);
  }

  /** Oldest first. */
  get all(): readonly Source[] {
    return this.#kept.value.all;
  }

  byKey(writeKey: string): Source | undefined {
    return this.#kept.value.byKey.get(writeKey);
  }

  /** Error `source_not_found`. */
  get(id: number): Source {
    const source = this.all.find((one) => one.id === id);
    if (source === undefined) throw new ContractError('source_not_found');
    return source;
  }

  /** Errors `source_not_found`, `write_key_taken`. */
  async save(edit: SourceEdit): Promise<Source> {
    const before = edit.id === undefined ? undefined : this.get(edit.id);
    const writeKey = edit.writeKey ?? before?.writeKey ?? `wk_${this.#deps.ids.hex(12)}`;
    const createdAt = before?.createdAt ?? this.#deps.clock.wall();
    const id = await this.#kept.change((changes) => {
      // Read from the store, because another edit of the same turn may have come first.
      const stored = this.#deps.store.all();
      const holder = stored.find((source) => source.writeKey === writeKey);
      if (holder !== undefined && holder.id !== edit.id)
        throw new ContractError('write_key_taken', `The source ${holder.name} has this write key.`, 'writeKey');
      const eventsOff = stored.find((source) => source.id === edit.id)?.eventsOff ?? new Set<string>();
      return this.#deps.store.save({ ...edit, writeKey, eventsOff, createdAt }, changes);
    });
    return this.get(id);
  }

  /**
   * Turns sending of track calls with this event to Webhooks on or off. Errors `source_not_found`, `too_many_events`.
   */
  async switchEvent({ id, event, on }: EventSwitch): Promise<Source> {
    await this.#kept.change((changes) => {
      const source = this.#deps.store.all().find((one) => one.id === id);
      if (source === undefined) throw new ContractError('source_not_found');
      const eventsOff = new Set(source.eventsOff);
      if (on) eventsOff.delete(event);
      else eventsOff.add(event);
      if (eventsOff.size > MAX_EVENTS_OFF) throw new ContractError('too_many_events');
      this.#deps.store.save({ ...source, eventsOff }, changes);
    });
    return this.get(id);
  }

  /** Error `source_not_found`. */
  async remove(id: number): Promise<void> {
    const removed = await this.#kept.change((changes) => this.#deps.store.remove(id, changes));
    if (!removed) throw new ContractError('source_not_found');
  }

  /** Makes a source for a key under `acceptAnyKey`. Undefined when 50 were already made. */
  async makeFor(writeKey: string): Promise<Source | undefined> {
    const { store, clock } = this.#deps;
    if (store.madeByKey() >= MAX_MADE_BY_KEY) return undefined;
    await this.#kept.change((changes) => {
      if (store.all().some((source) => source.writeKey === writeKey)) return;
      if (store.madeByKey() >= MAX_MADE_BY_KEY) return;
      const name = `source ${writeKey.slice(0, 24)}`;
      const made = { name, writeKey, kind: 'server', enabled: true, webhooks: true } as const;
      store.save({ ...made, eventsOff: new Set(), createdAt: clock.wall(), madeByKey: true }, changes);
    });
    return this.byKey(writeKey);
  }

  /** Makes a first source in a workspace that has none, so that the user can send a first event at once. */
  async ensureOne(): Promise<void> {
    if (this.all.length > 0) return;
    const writeKey = `wk_dev_${this.#deps.ids.hex(6)}`;
    await this.save({ name: 'dev', writeKey, kind: 'server', enabled: true, webhooks: true });
  }

  // The config file

  check({ sources = [] }: Config): void {
    const keys = new Set<string>();
    for (const [i, { writeKey }] of sources.entries()) {
      if (keys.has(writeKey))
        throw new ConfigValueError(`sources[${i}].writeKey`, 'Another source of the file has this write key.');
      keys.add(writeKey);
    }
  }

  /** Matched by write key and added or changed, never removed. */
  async take({ sources }: Config): Promise<void> {
    if (sources === undefined) return;
    await this.#kept.change((changes) => {
      const stored = this.#deps.store.all();
      for (const source of sources) {
        const known = stored.find(({ writeKey }) => writeKey === source.writeKey);
        const eventsOff = source.eventsOff === undefined ? known?.eventsOff : new Set(source.eventsOff);
        const createdAt = known?.createdAt ?? this.#deps.clock.wall();
        this.#deps.store.save({ ...source, eventsOff: eventsOff ?? new Set(), id: known?.id, createdAt }, changes);
      }
    });
  }

  give(): Config {
    const sources = this.all.map(({ name, writeKey, kind, enabled, webhooks, eventsOff }) => {
      return { name, writeKey, kind, enabled, webhooks, eventsOff: [...eventsOff].sort() };
    });
    return { sources };
  }
}
