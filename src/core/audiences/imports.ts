/** Imports of user ids under way: reads the text as it comes, shows what it holds, and then adds it to an audience. */
import { AUDIENCE_LIMITS, type ImportRow, type ImportView } from '../../contract/audiences.ts';
import { ContractError } from '../../contract/errors.ts';
import { IN } from '../model/audience-user.ts';
import { MemberFile } from '../model/member-file.ts';
import { type ChosenColumns, isSpaced, type JudgedRow, judgeRow, rowText } from '../model/member-rows.ts';
import type { AudiencesDeps } from './deps.ts';
import { columnsOf } from './import-columns.ts';
import type { Edited, Roster, UserEdit } from './roster.ts';

/** Imports at once. The oldest is forgotten for another one. */
const MAX_IMPORTS = 8;
/** Messages looked through in one step for the users that stored calls know. */
const SCAN_IDS = 2_000;
const SCAN_PAUSE_MS = 2;
const STEP_ROWS = 500;

type Row = JudgedRow & { readonly words: string };

export class Imports {
  readonly #deps: AudiencesDeps;
  readonly #roster: Roster;
  readonly #open = new Map<string, Import>();
  #isStopped = false;

  constructor(deps: AudiencesDeps, roster: Roster) {
    this.#deps = deps;
    this.#roster = roster;
  }

  /** Errors `audience_not_found`, `not_by_hand`. */
  open(audienceId: number, fileName: string | null): Import {
    this.#roster.byHand(audienceId);
    const token = this.#deps.ids.hex(16);
    const made = new Import(this.#deps, this.#roster, { token, audienceId, fileName }, () => this.#isStopped);
    this.#open.set(token, made);
    for (const old of [...this.#open.keys()].slice(0, -MAX_IMPORTS)) this.#open.delete(old);
    return made;
  }

  /** Error `import_not_found`. */
  get(token: string): Import {
    const found = this.#open.get(token);
    if (found === undefined) throw new ContractError('import_not_found');
    return found;
  }

  close(token: string): void {
    this.#open.get(token)?.close();
    this.#open.delete(token);
  }

  /**
   * Closes imports that name one of these users, and those that come upon one later, in text that is not read yet or in
   * another column. One that is being added goes on; {@link Roster.leaveOut} is for it.
   */
  forget(users: ReadonlySet<string>): void {
    for (const [token, one] of this.#open)
      if (one.names(users)) this.close(token);
      else one.refuse(users, () => this.close(token));
  }

  stop(): void {
    this.#isStopped = true;
  }
}

interface About {
  readonly token: string;
  readonly audienceId: number;
  readonly fileName: string | null;
}

export class Import {
  readonly #deps: AudiencesDeps;
  readonly #roster: Roster;
  readonly #about: About;
  readonly #isStopped: () => boolean;
  /** The text as it came, to be read again with other columns. */
  readonly #pieces: string[] = [];
  #bytes = 0;
  #file = new MemberFile();
  #chosen: ChosenColumns | null = null;
  /** True once the columns were chosen, by their names or by a person. */
  #state: ImportView['state'] = 'reading';
  #rows: Row[] = [];
  /** Line by good id. */
  #lines = new Map<string, number>();
  #spaced = 0;
  #joins = 0;
  readonly #calls = new Map<string, number>();
  #scannedTo = 0;
  #isScanned = false;
  #isClosed = false;
  /** Users who were erased since it was opened. */
  readonly #erased = new Set<string>();
  #closeForErased = (): void => {};

  constructor(deps: AudiencesDeps, roster: Roster, about: About, isStopped: () => boolean) {
    this.#deps = deps;
    this.#roster = roster;
    this.#about = about;
    this.#isStopped = isStopped;
  }

  close(): void {
    this.#isClosed = true;
  }

  names(users: ReadonlySet<string>): boolean {
    for (const userId of this.#lines.keys()) if (users.has(userId)) return true;
    return false;
  }

  /** Reading one of these users calls `close` from now on, and fails with `import_not_found`. */
  refuse(users: ReadonlySet<string>, close: () => void): void {
    for (const userId of users) this.#erased.add(userId);
    this.#closeForErased = close;
  }

  /**
   * Errors `import_too_large`, `import_not_ready` after the last piece, `import_not_found` when it names a user who was
   * erased meanwhile.
   */
  read(text: string, isLast: boolean): void {
    if (this.#state !== 'reading') throw new ContractError('import_not_ready');
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > AUDIENCE_LIMITS.fileBytes) throw new ContractError('import_too_large');
    this.#pieces.push(text);
    this.#take(text, isLast);
    if (this.#rows.length > AUDIENCE_LIMITS.fileRows) throw new ContractError('import_too_large');
    if (isLast) this.#whole();
  }

  #take(text: string, isLast: boolean): void {
    const found = this.#file.read(text, isLast);
    this.#chosen ??= columnsOf(this.#file);
    const chosen = this.#chosen ?? { userId: 0, label: null };
    const { columns } = this.#file;
    const column = columns[chosen.userId] ?? '';
    for (const row of found) {
      const judged = judgeRow(row, chosen, this.#lines);
      if (this.#erased.has(judged.userId ?? '')) this.#endForErased();
      this.#rows.push({ ...judged, words: rowText(judged, column, columns.length, row.cells.length) });
      if (judged.result !== 'good') continue;
      if (isSpaced(judged.userId!)) this.#spaced += 1;
      if (!this.#isMember(judged.userId!)) this.#joins += 1;
    }
  }

  #endForErased(): never {
    this.#closeForErased();
    throw new ContractError(
      'import_not_found',
      'A user in this import was erased meanwhile, so it was closed. Open it again.',
    );
  }

  #isMember(userId: string): boolean {
    return this.#deps.store.user(this.#about.audienceId, userId)?.value === IN;
  }

  #whole(): void {
    this.#state = this.#chosen === null ? 'no_column' : 'ready';
    if (this.#state === 'ready') this.#scan();
  }

  /**
   * Reads the text again with other columns, in steps. Errors `import_not_ready`, `invalid_argument`, and
   * `import_not_found` as {@link read}.
   */
  async choose(chosen: ChosenColumns): Promise<void> {
    if (this.#state !== 'ready' && this.#state !== 'no_column') throw new ContractError('import_not_ready');
    const { length } = this.#file.columns;
    if (chosen.userId >= length || (chosen.label ?? 0) >= length)
      throw new ContractError('invalid_argument', 'The file has no such column.');
    this.#state = 'reading';
    this.#chosen = chosen;
    this.#file = new MemberFile();
    this.#rows = [];
    this.#lines = new Map();
    this.#spaced = 0;
    this.#joins = 0;
    for (const [i, piece] of this.#pieces.entries()) {
      this.#take(piece, i === this.#pieces.length - 1);
      await this.#pause();
    }
    this.#whole();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#deps.timers.soon(resolve));
  }

  /** Counts the stored calls of every user, a stretch of ids at a time. */
  #scan(): void {
    if (this.#isScanned || this.#isClosed || this.#isStopped()) return;
    const range = this.#deps.lists.idRange();
    const last = range?.last ?? 0;
    this.#scannedTo = Math.max(this.#scannedTo, (range?.first ?? 1) - 1);
    if (this.#scannedTo >= last) {
      this.#isScanned = true;
      return;
    }
    const upTo = Math.min(last, this.#scannedTo + SCAN_IDS);
    for (const { userId, calls } of this.#deps.store.callsByUser({ after: this.#scannedTo, upTo }))
      if (this.#lines.has(userId)) this.#calls.set(userId, (this.#calls.get(userId) ?? 0) + calls);
    this.#scannedTo = upTo;
    this.#deps.timers.after(SCAN_PAUSE_MS, () => this.#scan());
  }

  view(): ImportView {
    const { token, audienceId, fileName } = this.#about;
    const { members } = this.#roster.get(audienceId).counts;
    const of = (result: Row['result']): number => this.#count(result);
    const good = this.#lines.size;
    const stay = good - this.#joins;
    return {
      import: token,
      audienceId,
      fileName,
      format: this.#file.format,
      separator: this.#file.separator,
      bytes: this.#bytes,
      state: this.#state,
      columns: this.#columns(),
      rows: this.#rows.length,
      good,
      duplicates: of('duplicate'),
      bad: of('bad'),
      spaced: this.#spaced,
      known: { ids: this.#calls.size, done: this.#isScanned },
      members,
      add: { joins: this.#joins },
      replace: { joins: this.#joins, leaves: Math.max(0, members - stay) },
    };
  }

  #count(result: Row['result']): number {
    return this.#rows.reduce((n, row) => n + Number(row.result === result), 0);
  }

  #columns(): ImportView['columns'] {
    const first = this.#file.firstCells;
    return this.#file.columns.map((name, i) => ({
      name,
      sample: (first[i] ?? '').slice(0, 200),
      use: this.#chosen?.userId === i ? 'userId' : this.#chosen?.label === i ? 'label' : 'unused',
    }));
  }

  rows({ show, order, offset, limit }: { show: string; order: string; offset: number; limit: number }) {
    const shown = show === 'all' ? this.#rows : this.#rows.filter(({ result }) => result === show);
    const sorted =
      order === 'problems' ? PROBLEMS_FIRST.flatMap((one) => shown.filter((row) => row.result === one)) : shown;
    return { rows: sorted.slice(offset, offset + limit).map((row) => this.#rowView(row)), total: sorted.length };
  }

  #rowView({ text, words, ...row }: Row): ImportRow {
    const calls = row.result === 'good' ? (this.#calls.get(row.userId!) ?? (this.#isScanned ? 0 : null)) : null;
    return { ...row, text: words, raw: row.result === 'bad' ? text : null, calls };
  }

  /** Adds the good ids in steps, and with `replace` removes the members that the file does not have. */
  async run(mode: 'add' | 'replace'): Promise<Edited> {
    const { audienceId } = this.#about;
    this.#roster.byHand(audienceId);
    if (this.#state !== 'ready' || this.#lines.size === 0) throw new ContractError('import_not_ready');
    this.#state = 'running';
    try {
      const good = this.#rows.filter(({ result }) => result === 'good');
      const added = await this.#roster.editUsers(
        audienceId,
        good.map(({ userId, label }) => ({ userId: userId!, value: IN, ...(label !== null && { label }) })),
      );
      return mode === 'add' ? added : { ...added, removed: await this.#removeOthers(audienceId) };
    } finally {
      this.#state = 'ready';
      this.#joins = 0;
    }
  }

  async #removeOthers(audienceId: number): Promise<number> {
    let removed = 0;
    let after: string | null = null;
    for (;;) {
      const users = this.#deps.store.users({ audienceId, after, limit: STEP_ROWS, only: 'all' });
      const edits: UserEdit[] = users
        .filter(({ userId, value }) => value === IN && !this.#lines.has(userId))
        .map(({ userId }) => ({ userId, value: null }));
      if (edits.length > 0) removed += (await this.#roster.editUsers(audienceId, edits)).removed;
      else await this.#pause();
      if (users.length < STEP_ROWS) return removed;
      after = users.at(-1)!.userId;
    }
  }
}

const PROBLEMS_FIRST = ['bad', 'duplicate', 'good'] as const;
