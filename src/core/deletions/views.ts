/** Requests as clients see them. */
import type {
  DeletionDetail,
  DeletionRow,
  DeletionSourceTotals,
  DeletionsView,
  ErasedView,
  SearchView,
} from '../../contract/deletions.ts';
import type { MessageRecord } from '../model/stored.ts';
import type { MessageState, NoNoticeReason } from '../model/vocabulary.ts';
import type { DeletionRecord, NoticeRecord, NoticeTally } from '../store/ports/deletions.ts';
import type { DeletionsDeps } from './deps.ts';
import type { Outcomes } from './outcomes.ts';
import { deletionState, ledgerOf, noticeCounts, phaseOf } from './state.ts';

/** A user at a source; the row of its notice as the store has it. */
export interface UserCell {
  readonly sourceId: number;
  readonly calls: number;
  readonly reason: NoNoticeReason | null;
  readonly state: MessageState | null;
  readonly message: MessageRecord | null;
}

export interface UserView {
  readonly position: number;
  readonly userId: string | null;
  readonly cells: UserCell[];
  readonly erased: number | null;
  readonly suppressed: boolean;
}

type Deps = Pick<DeletionsDeps, 'deletions' | 'lists' | 'suppressions'>;

export class DeletionViews {
  readonly #deps: Deps;
  readonly #outcomes: Outcomes;

  constructor(deps: Deps, outcomes: Outcomes) {
    this.#deps = deps;
    this.#outcomes = outcomes;
  }

  row(deletion: DeletionRecord): DeletionRow {
    const { id, createdAt, users, erase, suppress, forget, forgottenAt, erased } = deletion;
    const counts = noticeCounts(this.#outcomes.tally(id));
    const phase = phaseOf(deletion, counts);
    return {
      id,
      createdAt,
      firstUserId: this.#deps.deletions.users({ id, after: 0, limit: 1 })[0]?.userId ?? null,
      users,
      state: deletionState(phase, counts),
      phase,
      notices: ledgerOf(counts),
      states: { ...counts.states },
      nextDueAt: this.#outcomes.nextDueAt(id),
      erase,
      suppress,
      forget,
      forgotten: forgottenAt !== null,
      erasedMessages: erased.messages,
    };
  }

  detail(deletion: DeletionRecord): DeletionDetail {
    const { id, erase } = deletion;
    const tally = this.#outcomes.tally(id);
    return {
      ...this.row(deletion),
      sources: deletion.sources.map((source) => ({
        ...source,
        ...sourceTotals(tally, source.sourceId, deletion.users),
      })),
      erased: erase ? erasedView(deletion) : null,
      search: erase ? searchView(deletion) : null,
      suppressed: this.#suppressedOf(id),
    };
  }

  #suppressedOf(id: number): number {
    const { deletions, suppressions } = this.#deps;
    if (suppressions.ids.size === 0) return 0;
    const users = deletions.users({ id, after: 0, limit: Number.MAX_SAFE_INTEGER });
    return users.filter(({ userId }) => userId !== null && suppressions.ids.has(userId)).length;
  }

  users(
    deletion: DeletionRecord,
    page: { readonly after: number; readonly limit: number; readonly failedOnly: boolean },
  ): { rows: UserView[]; nextAfter: number | null } {
    const { deletions, lists, suppressions } = this.#deps;
    const { id, erase, sources } = deletion;
    const users = deletions.users({ id, ...page });
    const [first, last] = [users[0]?.position ?? 0, users.at(-1)?.position ?? 0];
    const notices = deletions.notices({ id, first, last });
    const messages = new Map(
      lists.messages(notices.flatMap(({ messageId }) => messageId ?? [])).map((row) => [row.id, row]),
    );
    const byPlace = new Map(notices.map((notice) => [`${notice.position} ${notice.sourceId}`, notice]));
    const rows = users.map(({ position, userId, erased }) => ({
      position,
      userId,
      cells: sources.map(({ sourceId }) => cell(sourceId, byPlace.get(`${position} ${sourceId}`), messages)),
      erased: erase ? erased : null,
      suppressed: userId !== null && suppressions.ids.has(userId),
    }));
    return { rows, nextAfter: users.length < page.limit ? null : last };
  }

  live(requests: readonly DeletionRecord[]): DeletionsView {
    const { deletions, suppressions } = this.#deps;
    const totals = suppressions.totals();
    return {
      requests: requests.map((request) => this.row(request)),
      total: deletions.count(),
      suppressed: {
        users: suppressions.ids.size,
        hits: totals.reduce((sum, { hits }) => sum + hits, 0),
        byRequest: totals.slice(0, 100).map(({ requestId, users }) => ({
          requestId,
          createdAt: requestId === null ? null : (deletions.get(requestId)?.createdAt ?? null),
          users,
        })),
      },
    };
  }
}

function cell(
  sourceId: number,
  notice: NoticeRecord | undefined,
  messages: ReadonlyMap<number, MessageRecord>,
): UserCell {
  if (notice === undefined) return { sourceId, calls: 0, reason: 'does_not_know', state: null, message: null };
  const { calls, reason, messageId, outcome } = notice;
  const message = messageId === null ? null : (messages.get(messageId) ?? null);
  return { sourceId, calls, reason, state: outcome ?? message?.state ?? null, message };
}

type Totals = Pick<DeletionSourceTotals, 'notices' | 'delivered' | 'failed' | 'waiting' | 'none'>;

function sourceTotals(tally: readonly NoticeTally[], sourceId: number, users: number): Totals {
  const own = noticeCounts(tally.filter((one) => one.sourceId === sourceId));
  const { total, delivered, failed, waiting } = ledgerOf(own);
  return { notices: total, delivered, failed, waiting, none: users - total };
}

function erasedView({ erased, erasedAt, lookedAt, upTo }: DeletionRecord): ErasedView {
  return { ...erased, progress: { done: Math.min(lookedAt, upTo), of: upTo }, finishedAt: erasedAt };
}

function searchView({ search }: DeletionRecord): SearchView {
  if (search === null) return { finishedAt: null, bytes: 0, found: 0, messages: [], files: 'not_yet' };
  return { ...search, messages: [...search.messages] };
}
