/**
 * The search index as the engine sees it. A small store needs none: reading every message is as fast. From {@link LEAST_SEARCHED}
 * messages on the index runs in its own thread, is told of every commit, and can be turned off.
 */
import type { SearchView } from '../../contract/search.ts';
import { LEAST_SEARCHED } from '../../contract/search-limits.ts';
import type { Logger, Timer, Timers } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import type { Found } from './finding.ts';
import type { OpenLink, SearchLink } from './link.ts';
import type { FromSearch, QuestionName, Questions } from './messages.ts';
import type { Sought } from './search-index.ts';

/** The index hears of new messages at most so often. */
const TELL_MS = 100;
/** So often {@link SearchDeps.warmUp} is called, with other work in between. */
const WARM_UPS = 8;

export interface SearchDeps {
  readonly open: OpenLink;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly write: Writer['write'];
  /** Whether the user wants an index. */
  readonly kept: { read(): boolean; save(enabled: boolean, changes: Changes): void };
  /** How many messages are stored. */
  total(): number;
  /** Of this thread's time since the last call, 0 to 1. */
  busyShare(): number;
  /** Deletes the files of the index. They must be closed. */
  deleteFile(): void;
  /** By default {@link LEAST_SEARCHED}. */
  readonly least?: number | undefined;
  /** Reads a few messages for a text. Called some times when the index is first ready. */
  warmUp(): void;
  /** Called when something that clients see has changed. */
  changed(): void;
}

const NONE = { indexed: 0, total: 0, bytes: 0, message: null } as const;

export class Search {
  readonly #deps: SearchDeps;
  readonly #asked = new Map<number, (value: unknown) => void>();
  #link: SearchLink | null = null;
  #view: SearchView = { state: 'small', ...NONE };
  #enabled = true;
  #n = 0;
  #newest = 0;
  #telling: Timer | null = null;
  #running = false;
  #isWarm = false;
  /** The thread ended; only a rebuild or the next start begins another. */
  #broken = false;

  constructor(deps: SearchDeps) {
    this.#deps = deps;
  }

  view(): SearchView {
    return this.#view;
  }

  /** `isOtherStore` when the store may not be the one that the file is of. */
  start(isOtherStore: boolean): void {
    this.#running = true;
    this.#enabled = this.#deps.kept.read();
    try {
      if (isOtherStore || !this.#isWanted) this.#deps.deleteFile();
    } catch (error) {
      // Without an index the engine still works.
      this.#ended((error as Error).message);
    }
    this.#begin();
    if (this.#link === null && !this.#broken) this.#see({ state: this.#enabled ? 'small' : 'off', ...NONE });
  }

  get #isWanted(): boolean {
    return this.#enabled && this.#deps.total() >= (this.#deps.least ?? LEAST_SEARCHED);
  }

  /** Saves and closes the files. Harmless when repeated. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#telling?.cancel();
    this.#telling = null;
    const link = this.#link;
    this.#link = null;
    this.#answerAll();
    await link?.stop();
  }

  /** Runs after each commit. */
  committed({
    inserted,
    messages,
    removed,
    emptied,
  }: Pick<Changes, 'inserted' | 'messages' | 'removed' | 'emptied'>): void {
    if (this.#link === null) return this.#begin();
    if (removed.length + emptied.length > 0) this.#link.say({ type: 'removed', ids: [...removed, ...emptied] });
    this.#newest = inserted.at(-1) ?? this.#newest;
    // A message that only moved may have a response.
    if (messages.size > 0) this.#telling ??= this.#deps.timers.after(TELL_MS, () => this.#tellStored());
  }

  #tellStored(): void {
    this.#telling?.cancel();
    this.#telling = null;
    this.#link?.say({ type: 'stored', newest: this.#newest, busyShare: this.#deps.busyShare() });
  }

  // For lists

  /** Null where there is no index, or no text that it can find: then every message has to be read. */
  async find(sought: Sought): Promise<Found | null> {
    return this.#link === null || this.#view.state === 'failed' ? null : this.#ask('find', sought);
  }

  // For deletions

  /** Resolves when no file of the index holds anything of messages that are gone. */
  async forget(): Promise<void> {
    if (this.#link !== null) await this.#ask('forget', null);
    if (this.#link === null) this.#deps.deleteFile();
  }

  // For the user

  /** Makes the index again, also one that failed. */
  async rebuild(): Promise<SearchView> {
    this.#broken = false;
    if (this.#link !== null) await this.#ask('rebuild', null);
    else if (this.#isWanted) this.#begin();
    // The store may have become small since the index failed.
    else if (this.#enabled) this.#see({ state: 'small', ...NONE });
    return this.#view;
  }

  /** Turned off, the files of the index are deleted. */
  async setEnabled(enabled: boolean): Promise<SearchView> {
    await this.#deps.write((changes) => this.#deps.kept.save(enabled, changes));
    this.#enabled = enabled;
    this.#broken = false;
    if (enabled) {
      if (this.#link === null) this.#see({ state: 'small', ...NONE });
      this.#begin();
      return this.#view;
    }
    await this.#end();
    this.#deps.deleteFile();
    this.#see({ state: 'off', ...NONE });
    return this.#view;
  }

  // The thread

  #begin(): void {
    if (!this.#running || this.#link !== null || this.#broken || !this.#isWanted) return;
    try {
      this.#see({ state: 'building', ...NONE, total: this.#deps.total() });
      this.#link = this.#deps.open({
        heard: (message) => this.#heard(message),
        ended: (message) => this.#ended(message),
      });
    } catch (error) {
      this.#ended((error as Error).message);
    }
  }

  #ask<N extends QuestionName>(name: N, argument: Questions[N][0]): Promise<Questions[N][1]> {
    this.#n += 1;
    const n = this.#n;
    return new Promise((resolve) => {
      this.#asked.set(n, resolve as (value: unknown) => void);
      this.#tellStored();
      this.#link!.say({ type: 'ask', n, name, argument });
    });
  }

  #heard(message: FromSearch): void {
    if (message.type === 'changed') {
      if (message.state.state === 'ready') this.#warmUp();
      return this.#see(message.state);
    }
    this.#asked.get(message.n)?.(message.value);
    this.#asked.delete(message.n);
  }

  #warmUp(): void {
    if (this.#isWarm) return;
    this.#isWarm = true;
    const step = (left: number): void => {
      if (!this.#running || left === 0) return;
      try {
        this.#deps.warmUp();
      } catch (error) {
        // Nobody has asked yet. Whoever does is told what is wrong with the store.
        this.#deps.logger.log('warn', 'search_warm_up_failed', { error: (error as Error).message });
        return;
      }
      this.#deps.timers.soon(() => step(left - 1));
    };
    this.#deps.timers.soon(() => step(WARM_UPS));
  }

  #ended(message: string): void {
    this.#link = null;
    this.#broken = true;
    this.#deps.logger.log('error', 'search_ended', { error: message });
    this.#answerAll();
    this.#see({ ...NONE, state: 'failed', message });
  }

  /** Whoever asked reads every message instead. */
  #answerAll(): void {
    for (const resolve of this.#asked.values()) resolve(null);
    this.#asked.clear();
  }

  #see(view: SearchView): void {
    if (view.state === 'failed' && this.#view.state !== 'failed')
      this.#deps.logger.log('warn', 'search_failed', { error: view.message });
    this.#view = view;
    this.#deps.changed();
  }
}
