/**
 * Deletion requests: users → one notice for each source that knows a user and has the destination on, and, where asked
 * for, an erase of what is stored and a suppression (decisions, Audiences and deletions; delivery specification,
 * section 6).
 */
import type { DeletionPreview, DeletionsView, EraseCounts, PlannedNotice } from '../../contract/deletions.ts';
import { ContractError } from '../../contract/errors.ts';
import { failpoint } from '../failpoint.ts';
import { orderOf, type Regulation } from '../ingest/regulations.ts';
import { isJsonObject } from '../model/call.ts';
import type { MessageRecord } from '../model/stored.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { DeletionRecord } from '../store/ports/deletions.ts';
import type { DeletionsDeps } from './deps.ts';
import { noticeRequest } from './notices.ts';
import { Outcomes } from './outcomes.ts';
import { type PlannedSource, plannedNotices, plannedSources } from './plan.ts';
import { linesById, previewOf } from './preview.ts';
import { Runner } from './runner.ts';
import { type Found, isErasable, UserCalls } from './user-calls.ts';
import { DeletionViews } from './views.ts';

/** Requests in the live part. */
const SHOWN = 100;
/** Messages whose attempts are counted at once. */
const COUNTED = 500;
/** Rows that a scan for messages looks at in one step, and how long it goes on. */
const SCANNED = 2_000;
const SCAN_MS = 15;

export interface NewRequest {
  readonly userIds: readonly string[];
  readonly erase: boolean;
  readonly suppress: boolean;
  readonly forget: boolean;
}

export class Deletions {
  readonly #deps: DeletionsDeps;
  readonly #calls: UserCalls;
  readonly #outcomes: Outcomes;
  readonly #runner: Runner;
  readonly views: DeletionViews;

  constructor(deps: DeletionsDeps) {
    this.#deps = deps;
    this.#calls = new UserCalls({ store: deps.erasure, timers: deps.timers });
    this.#outcomes = new Outcomes({
      store: deps.deletions,
      write: (job) => deps.persist(() => deps.write(job)),
      logger: deps.logger,
      moved: (_requestId, ended) => {
        deps.changed();
        if (ended) this.#runner.kick();
      },
    });
    this.#runner = new Runner(deps, this.#outcomes);
    this.views = new DeletionViews(deps, this.#outcomes);
  }

  /** Goes on with what the last run left. Call it after recovery. */
  start(): void {
    this.#outcomes.load();
    this.#noteCleared();
    const { deletions, suppressions } = this.#deps;
    for (const id of deletions.unfinished())
      if (deletions.get(id)!.erase) this.#runner.whenErased(id, suppressions.leaving.begin(this.#usersOf(id)));
    this.#runner.kick();
  }

  /** The start of the store has cleared the files for the requests that left it to the next start. */
  #noteCleared(): void {
    const { deletions, erasure, write } = this.#deps;
    if (erasure.isSoiled()) return;
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const requests = deletions.list({ before, limit: SHOWN });
      for (const { id, search } of requests)
        if (search?.files === 'next_start') {
          const cleared = { ...search, files: 'cleared' as const };
          // Where it fails, the start after this one notes it.
          write((changes) => deletions.progress(id, { search: cleared }, changes)).catch(() => {});
        }
      if (requests.length < SHOWN) return;
      before = requests.at(-1)!.id;
    }
  }

  stop(): Promise<void> {
    return this.#runner.stop();
  }

  /** Runs after each commit. */
  committed(changes: Changes): void {
    this.#calls.committed(changes);
    this.#outcomes.committed(changes);
  }

  #usersOf(id: number): string[] {
    const all = this.#deps.deletions.users({ id, after: 0, limit: Number.MAX_SAFE_INTEGER });
    return all.flatMap(({ userId }) => userId ?? []);
  }

  view(): DeletionsView {
    const requests = this.#deps.deletions.list({ before: Number.MAX_SAFE_INTEGER, limit: SHOWN });
    return this.views.live(requests);
  }

  // Before a request

  async preview(lines: readonly string[]): Promise<DeletionPreview> {
    const userIds = [...linesById(lines).keys()];
    const found = await this.#calls.find(userIds);
    return previewOf({
      lines,
      found,
      sources: this.#sourcesFor(found),
      isSuppressed: (userId) => this.#deps.suppressions.ids.has(userId),
      nameOf: (identify) => nameIn(this.#deps.details.wire(identify)),
      erase: await this.#eraseCounts(userIds, found),
    });
  }

  #sourcesFor(found: Found): PlannedSource[] {
    return plannedSources(this.#deps.sources(), found.users.values(), this.#deps.destination());
  }

  async #eraseCounts(userIds: readonly string[], { users }: Found): Promise<EraseCounts> {
    const { erasure, receivers, audiences, timers } = this.#deps;
    const all = [...users.values()];
    const messages = all.flatMap((user) => user.messages);
    let attempts = 0;
    for (let from = 0; from < messages.length; from += COUNTED) {
      attempts += erasure.attemptsOf(messages.slice(from, from + COUNTED));
      await new Promise<void>((resolve) => timers.soon(resolve));
    }
    return {
      messages: messages.length,
      attempts,
      replays: all.reduce((sum, { replays }) => sum + replays, 0),
      heldCalls: all.reduce((sum, { held }) => sum + held, 0),
      receiverEntries: await receivers.erase(userIds, false),
      memberships: await audiences.count(userIds),
    };
  }

  /** The notices that a request would send now: `count` of them, from place `from` on. */
  async dryRun(
    lines: readonly string[],
    from: number,
    count: number,
  ): Promise<{ total: number; notices: PlannedNotice[] }> {
    const userIds = [...linesById(lines).keys()];
    const found = await this.#calls.find(userIds);
    const sources = this.#sourcesFor(found);
    const planned = plannedNotices(userIds, found.users, sources).filter(({ reason }) => reason === null);
    const now = this.#deps.clock.wall();
    const notices = planned.slice(from - 1, from - 1 + count).map(({ position, sourceId }, i): PlannedNotice => {
      const userId = userIds[position - 1]!;
      const { name: sourceName } = sources.find((source) => source.sourceId === sourceId)!;
      const { messages } = noticeRequest({
        sourceId,
        sourceName,
        sourceWebhooks: true,
        destination: this.#deps.destination(),
        notices: [{ userId, messageId: 'dry-run' }],
        createdAt: now,
        now,
      });
      const body = Buffer.from(messages[0]!.wire!).toString('utf8');
      return { position: from + i, userId, sourceId, sourceName, body };
    });
    return { total: planned.length, notices };
  }

  // A request

  /** Resolves with its id once it is stored. */
  async create({ userIds: lines, ...options }: NewRequest): Promise<number> {
    const { suppressions, write } = this.#deps;
    const userIds = [...linesById(lines).keys()];
    const found = await this.#calls.find(userIds);
    const job = (changes: Changes): number => this.#add(userIds, found, options, changes);
    const rows = 2 * userIds.length;
    const leave = options.erase ? suppressions.leaving.begin(userIds) : () => {};
    let id: number;
    try {
      id = options.suppress ? await suppressions.addWith(userIds, job, rows) : await write(job, rows);
    } catch (error) {
      leave();
      throw error;
    }
    failpoint('deletion_stored');
    this.#runner.whenErased(id, leave);
    this.#deps.changed();
    this.#runner.kick();
    return id;
  }

  /** Carries out a regulation of the ingest port. Resolves with its id. */
  async regulate({ type, userIds }: Regulation): Promise<string> {
    const { suppressions, ids } = this.#deps;
    const { erase, suppress } = orderOf(type);
    if (erase) return String(await this.create({ userIds, erase, suppress: suppress === 'yes', forget: false }));
    const different = [...linesById(userIds).keys()];
    if (suppress === 'lift') await suppressions.lift(different);
    else await suppressions.suppress(different, null);
    return `${suppress === 'lift' ? 'unsuppress' : 'suppress'}-${ids.uuid()}`;
  }

  #add(userIds: readonly string[], found: Found, options: Omit<NewRequest, 'userIds'>, changes: Changes): number {
    const { deletions, erasure, suppressions, clock } = this.#deps;
    this.#calls.catchUp(found);
    const sources = this.#sourcesFor(found);
    const { message, request } = erasure.newest();
    const id = deletions.add(
      {
        ...options,
        createdAt: clock.wall(),
        userIds,
        sources: sources.map(({ silent: _, ...source }) => source),
        notices: plannedNotices(userIds, found.users, sources),
        upTo: message,
        upToRequest: request,
        lookedAt: 0,
      },
      changes,
    );
    if (options.suppress) suppressions.keep(userIds, id, changes);
    return id;
  }

  /** Error `deletion_not_found`. */
  get(id: number): DeletionRecord {
    const found = this.#deps.deletions.get(id);
    if (found === undefined) throw new ContractError('deletion_not_found');
    return found;
  }

  /** Errors `deletion_not_found`, `deletion_running`. */
  async forget(id: number): Promise<void> {
    const { finishedAt, forgottenAt } = this.get(id);
    if (finishedAt === null || this.#outcomes.hasOpen(id)) throw new ContractError('deletion_running');
    if (forgottenAt === null) await this.#runner.forget(id);
  }

  /** Messages of its users that came after it, newest first, below `before`. Scans for a bounded time. */
  messagesAfter(
    id: number,
    before: number | undefined,
    limit: number,
  ): { rows: MessageRecord[]; scannedTo: number; more: boolean } {
    const { erasure, lists, clock } = this.#deps;
    const { upTo } = this.get(id);
    const users = new Set(this.#usersOf(id));
    const until = clock.mono() + SCAN_MS;
    const ids: number[] = [];
    let scannedTo = Math.min(before ?? Number.MAX_SAFE_INTEGER, erasure.newest().message + 1);
    while (scannedTo > upTo + 1 && ids.length < limit) {
      const after = Math.max(upTo, scannedTo - 1 - SCANNED);
      const calls = erasure.calls({ after, upTo: scannedTo - 1, limit: SCANNED });
      const mine = calls.filter((call) => users.has(call.userId) && isErasable(call)).reverse();
      const taken = mine.slice(0, limit - ids.length);
      ids.push(...taken.map((call) => call.id));
      scannedTo = taken.length < mine.length ? taken.at(-1)!.id : after + 1;
      if (clock.mono() > until) break;
    }
    return { rows: lists.messages(ids), scannedTo, more: scannedTo > upTo + 1 };
  }
}

/** The name of a person in the body of an identify call, or null. */
function nameIn(wire: Uint8Array | null): string | null {
  if (wire === null) return null;
  try {
    const call: unknown = JSON.parse(Buffer.from(wire).toString('utf8'));
    const traits = isJsonObject(call) && isJsonObject(call.traits) ? call.traits : {};
    const whole = [traits.firstName, traits.lastName].filter((part) => typeof part === 'string').join(' ');
    return typeof traits.name === 'string' && traits.name !== '' ? traits.name : whole === '' ? null : whole;
  } catch {
    return null;
  }
}
