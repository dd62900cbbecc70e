/**
 * Imports of calls under way. The text comes in pieces; the calls that a piece completes are stored in one transaction
 * before its answer, so a slow disk slows the client down. A crash leaves the pieces before it stored, and importing
 * the file again finds those as duplicates.
 */

import { ContractError } from '../../contract/errors.ts';
import type { CallImportView, ImportProblemView } from '../../contract/exchange.ts';
import { EXCHANGE_LIMITS } from '../../contract/exchange-limits.ts';
import { failpoint } from '../failpoint.ts';
import type { StoredRequest } from '../ingest/ports.ts';
import type { BodyShape } from '../model/rules.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import type { IngestStore } from '../store/ports/ingest.ts';
import { type FileRow, FileRows } from './file-rows.ts';
import { type ImportedCall, type ImportFields, importedCalls } from './imported-call.ts';
import { NO_JSON, readRow } from './imported-row.ts';

/** After so many rows that are no JSON, a file gets no benefit of the doubt: each row is looked at before it is parsed. */
export const TRUSTED_ROWS = 100;

/** Imports at once. The oldest is forgotten for another one. */
const MAX_IMPORTS = 4;

export interface ImporterDeps {
  readonly ingest: Pick<IngestStore, 'storeIn' | 'hasMessage'>;
  readonly write: Writer['write'];
  readonly clock: Pick<Clock, 'wall'>;
  readonly ids: Ids;
  /** Retry-clock time. */
  clockNow(): number;
  destination(): { readonly enabled: boolean; readonly body: BodyShape; readonly webhookCount: number };
  suppressed(): ReadonlySet<string>;
  /** True while the store is at its limits. */
  full(): boolean;
  /** Counts the messages of a committed request and hands them to delivery. */
  stored(request: StoredRequest): void;
}

export class Importer {
  readonly #deps: ImporterDeps;
  readonly #open = new Map<string, CallImport>();

  constructor(deps: ImporterDeps) {
    this.#deps = deps;
  }

  open(deliver: boolean): CallImport {
    const token = this.#deps.ids.hex(16);
    const made = new CallImport(this.#deps, token, deliver);
    this.#open.set(token, made);
    for (const old of [...this.#open.keys()].slice(0, -MAX_IMPORTS)) this.#open.delete(old);
    return made;
  }

  /** Error `import_not_found`. */
  get(token: string): CallImport {
    const found = this.#open.get(token);
    if (found === undefined) throw new ContractError('import_not_found');
    return found;
  }

  close(token: string): void {
    this.#open.delete(token);
  }
}

const TOO_LARGE = 'The file has more than 100 MB. What came before is imported.';
const FULL = 'The store is full, and nothing in it may be removed. Change the storage limits, then import again.';

export class CallImport {
  readonly #deps: ImporterDeps;
  readonly #token: string;
  readonly #deliver: boolean;
  readonly #rows = new FileRows();
  readonly #problems: ImportProblemView[] = [];
  #bytes = 0;
  #noJson = 0;
  #counts = { read: 0, imported: 0, queued: 0, duplicates: 0, refused: 0, other: 0 };
  #done = false;
  #isBusy = false;

  constructor(deps: ImporterDeps, token: string, deliver: boolean) {
    this.#deps = deps;
    this.#token = token;
    this.#deliver = deliver;
  }

  /** Errors `import_not_ready`, `import_too_large`, `store_not_writable`. */
  async read(text: string, last: boolean): Promise<void> {
    if (this.#done || this.#isBusy) throw new ContractError('import_not_ready');
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > EXCHANGE_LIMITS.fileBytes) throw new ContractError('import_too_large', TOO_LARGE);
    if (this.#deps.full()) throw new ContractError('store_not_writable', FULL);
    this.#isBusy = true;
    try {
      await this.#take(this.#rows.read(text, last));
      this.#done = last;
    } finally {
      this.#isBusy = false;
    }
  }

  async #take(rows: readonly FileRow[]): Promise<void> {
    const calls = this.#callsOf(rows);
    if (calls.length === 0) return;
    const dueAt = this.#deps.clockNow();
    const stored = await this.#deps.write((changes) => {
      const rows = this.#store(calls, dueAt, changes);
      failpoint('import_piece_written');
      return rows;
    }, 2 * calls.length);
    failpoint('import_piece_committed');
    for (const one of stored) {
      if (one === null) this.#counts.duplicates += 1;
      else {
        this.#counts.imported += 1;
        if (one.messages[0]!.state === 'queued') this.#counts.queued += 1;
        this.#deps.stored(one);
      }
    }
  }

  #callsOf(rows: readonly FileRow[]): Array<Extract<ImportedCall, { ok: true }>> {
    const fields: ImportFields = {
      receivedAt: this.#deps.clock.wall(),
      deliver: this.#deliver,
      destination: this.#deps.destination(),
      suppressed: this.#deps.suppressed(),
    };
    const format = this.#rows.format ?? 'ndjson';
    const good: Array<Extract<ImportedCall, { ok: true }>> = [];
    for (const { at, text } of rows) {
      const row = readRow(format, text, this.#noJson >= TRUSTED_ROWS);
      if (row === NO_JSON) this.#noJson += 1;
      const calls: readonly ImportedCall[] =
        row.kind === 'request'
          ? importedCalls(row, fields)
          : row.kind === 'refused'
            ? [{ ok: false, text: row.text }]
            : [];
      this.#counts.read += Math.max(1, calls.length);
      if (row.kind === 'other') this.#counts.other += 1;
      for (const call of calls)
        if (call.ok) good.push(call);
        else this.#refuse(at, call.text);
    }
    return good;
  }

  #refuse(at: number, text: string): void {
    this.#counts.refused += 1;
    if (this.#problems.length < EXCHANGE_LIMITS.problems) this.#problems.push({ at, text });
  }

  /** Null for each message that is there already. */
  #store(
    calls: ReadonlyArray<Extract<ImportedCall, { ok: true }>>,
    dueAt: number,
    changes: Changes,
  ): Array<StoredRequest | null> {
    const { ingest } = this.#deps;
    return calls.map(({ request, message }) => {
      if (ingest.hasMessage(message.messageId)) return null;
      const arrived = { request, messages: [message], dedupe: false, dueAt };
      return { ...arrived, stored: ingest.storeIn(arrived, changes) };
    });
  }

  view(): CallImportView {
    return {
      import: this.#token,
      format: this.#rows.format,
      bytes: this.#bytes,
      ...this.#counts,
      problems: [...this.#problems],
      done: this.#done,
    };
  }
}
