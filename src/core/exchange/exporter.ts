/**
 * Writes stored messages as the text of a file, slice by slice. It keeps nothing between two slices: the client hands
 * the cursor back, and an export that nobody asks on is over.
 */

import type { CurlShell } from '../../contract/curl-file.ts';
import type { ExportCursor, ExportSlice } from '../../contract/exchange.ts';
import type { ExportFormat } from '../../contract/exchange-limits.ts';
import type { ListFilter } from '../model/filter.ts';
import type { Clock } from '../ports.ts';
import type { ListStore } from '../store/ports/lists.ts';
import { exportedMessage, type ReadDeps } from './exported.ts';
import { formatOf } from './formats/all.ts';
import type { FileFacts } from './formats/format.ts';
import { createMask } from './mask.ts';

/** A slice ends after this long, so that the engine stays free for calls and attempts. */
const SLICE_MS = 8;
/** UTF-16 units after which a slice ends. One message has at most some megabytes. */
const SLICE_TEXT = 256 * 1024;
/** Ids that one step of a filter looks through. */
const STEP_IDS = 2_000;

export interface ExporterDeps extends ReadDeps {
  readonly lists: Pick<ListStore, 'ids' | 'message' | 'idRange'>;
  readonly clock: Clock;
  readonly version: string;
  /** Port on which calls arrive. */
  port(): number;
  /** What an export masks that does not say it. */
  defaultMask(): readonly string[];
}

export interface ExportAsked {
  readonly format: ExportFormat;
  readonly shell?: CurlShell | undefined;
  readonly of: { readonly filter: ListFilter } | { readonly ids: readonly number[] };
  readonly mask?: readonly string[] | undefined;
  readonly signatures?: boolean | undefined;
  readonly cursor?: ExportCursor | undefined;
}

/** Ids in ascending order, with what the cursor says once each of them is looked at. */
interface Step {
  readonly ids: ReadonlyArray<{ readonly id: number; readonly at: number }>;
  /** Where the walk stands after all of them. */
  readonly at: number;
}

/** A way through the messages that were asked for. */
interface Walk {
  readonly start: ExportCursor;
  /** What follows `at`; null at the end. */
  next(at: number): Step | null;
  progress(at: number): number;
}

export class Exporter {
  readonly #deps: ExporterDeps;

  constructor(deps: ExporterDeps) {
    this.#deps = deps;
  }

  slice(asked: ExportAsked): ExportSlice {
    const { cursor, mask = this.#deps.defaultMask() } = asked;
    const format = formatOf(asked.format, asked.shell);
    const walk = 'ids' in asked.of ? this.#ofIds(asked.of.ids) : this.#ofFilter(asked.of.filter, cursor?.upTo);
    const facts = this.#facts(mask);
    const position = cursor ?? walk.start;
    const slice = new Slice(position, cursor === undefined ? format.head(facts) : '');
    const used = new Set<string>();
    const isMasked = createMask(mask, used);
    const until = this.#deps.clock.mono() + SLICE_MS;
    const isEnough = (): boolean => slice.length >= SLICE_TEXT || this.#deps.clock.mono() >= until;
    for (;;) {
      const step = walk.next(slice.at);
      if (step === null) {
        slice.add(format.tail(slice.written));
        return { text: slice.text, written: slice.written, masked: [...used], progress: 1, next: null };
      }
      for (const { id, at } of step.ids) {
        const message = this.#deps.lists.message(id);
        if (message !== undefined) {
          const exported = isMasked(exportedMessage(this.#deps, message, asked.signatures === true));
          slice.add(format.message(exported, slice.written, facts));
          slice.written += 1;
        }
        slice.at = at;
        if (isEnough()) break;
      }
      if (step.ids.length === 0 || slice.at === step.ids.at(-1)!.at) slice.at = step.at;
      if (isEnough())
        return {
          text: slice.text,
          written: slice.written,
          masked: [...used],
          progress: walk.progress(slice.at),
          next: slice.cursor(position),
        };
    }
  }

  #facts(mask: readonly string[]): FileFacts {
    const { clock, version } = this.#deps;
    return { version, at: new Date(clock.wall()).toISOString(), port: this.#deps.port(), mask };
  }

  /** Row ids from the oldest to the newest that there was at the start. */
  #ofFilter(filter: ListFilter, upTo?: number): Walk {
    const { lists } = this.#deps;
    const range = lists.idRange();
    const last = upTo ?? range?.last ?? 0;
    const first = range?.first ?? 1;
    return {
      start: { at: first - 1, upTo: last, written: 0 },
      next: (at) => {
        const after = Math.max(at, first - 1);
        if (after >= last) return null;
        const end = Math.min(last, after + STEP_IDS);
        return { ids: this.#matching(filter, after, end).map((id) => ({ id, at: id })), at: end };
      },
      progress: (at) => (last < first ? 1 : Math.min(1, Math.max(0, (at - first + 1) / (last - first + 1)))),
    };
  }

  /** Ascending ids above `after`, up to `end`. */
  #matching(filter: ListFilter, after: number, end: number): number[] {
    const ids: number[] = [];
    for (let before = end + 1; ; ) {
      const page = this.#deps.lists.ids({ filter, before, after, limit: STEP_IDS, keepGoing: () => true });
      ids.push(...page.ids);
      if (!page.more) return ids.reverse();
      before = page.scannedTo;
    }
  }

  /** In their order, each once. `at` counts them. */
  #ofIds(asked: readonly number[]): Walk {
    const ids = [...new Set(asked)].sort((a, b) => a - b);
    return {
      start: { at: 0, upTo: 0, written: 0 },
      next: (at) =>
        at >= ids.length ? null : { ids: ids.slice(at).map((id, i) => ({ id, at: at + i + 1 })), at: ids.length },
      progress: (at) => at / ids.length,
    };
  }
}

/** The text of a slice so far, and where it stands. */
class Slice {
  readonly #parts: string[] = [];
  #length = 0;
  at: number;
  written: number;

  constructor({ at, written }: ExportCursor, head: string) {
    this.at = at;
    this.written = written;
    this.add(head);
  }

  add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  get length(): number {
    return this.#length;
  }

  get text(): string {
    return this.#parts.join('');
  }

  cursor({ upTo }: ExportCursor): ExportCursor {
    return { at: this.at, upTo, written: this.written };
  }
}
