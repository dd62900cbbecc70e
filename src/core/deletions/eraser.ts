/**
 * Erases the stored messages of a request's users, in steps of their own transactions. Each step stores how far it came,
 * so a crash resumes there. A message that is still being delivered is stopped first: erasing never waits for delivery.
 */
import { failpoint } from '../failpoint.ts';
import { cutCalls } from '../ingest/cut-calls.ts';
import { idText, type JsonObject } from '../model/call.ts';
import { FINAL_STATES } from '../model/vocabulary.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import type { DeletionRecord, DeletionStore, ErasedCounts } from '../store/ports/deletions.ts';
import type { ErasedMessage, ErasureStore, UserCall } from '../store/ports/erasure.ts';
import { isErasable } from './user-calls.ts';

/** Rows looked at in one step, and messages erased in it: about 7 ms. */
const LOOKED_AT = 1_000;
const ERASED = 25;

export interface EraserDeps {
  readonly deletions: Pick<DeletionStore, 'progress' | 'erasedOf' | 'get'>;
  readonly store: ErasureStore;
  readonly write: Writer['write'];
  /** Ends the retries of a message. */
  stopMessage(id: number): Promise<boolean>;
}

/** Their places in the request. */
export type Users = ReadonlyMap<string, number>;

/** Where a step ends, and what it erases. */
interface Step {
  readonly lookedAt: number;
  readonly doomed: readonly UserCall[];
}

export const isCallOf =
  (users: { has(userId: string): boolean }) =>
  ({ userId, type }: JsonObject): boolean =>
    type !== 'delete' && users.has(idText(userId) ?? '');

export class Eraser {
  readonly #deps: EraserDeps;

  constructor(deps: EraserDeps) {
    this.#deps = deps;
  }

  /** Erases one step. False when it got no further. Rejects when the store cannot be written. */
  async step(deletion: DeletionRecord, users: Users): Promise<boolean> {
    const step = this.#nextStep(deletion.lookedAt, deletion.upTo, users);
    const open = step.doomed.filter(({ state }) => !FINAL_STATES.has(state));
    await Promise.all(open.map(({ id }) => this.#deps.stopMessage(id)));
    return this.#deps.write((changes) => this.#erase(deletion.id, step, users, changes), 1 + 4 * step.doomed.length);
  }

  #erase(id: number, { doomed, lookedAt }: Step, users: Users, changes: Changes): boolean {
    const { store, deletions } = this.#deps;
    const erased = store.erase(
      doomed.map((message) => message.id),
      changes,
    );
    const cut = this.#cut(new Set(erased.map(({ requestId }) => requestId)), users, changes);
    for (const [userId, messages] of byUser(erased))
      deletions.erasedOf({ id, position: users.get(userId)!, messages }, changes);
    const { erased: before, lookedAt: from } = deletions.get(id)!;
    // A message that was just moving is still there. The next step finds it again.
    const isWhole = erased.length === doomed.length;
    const progress = { lookedAt: isWhole ? lookedAt : from, erased: added(before, erased, cut) };
    deletions.progress(id, progress, changes);
    failpoint('deletion_step_written');
    return isWhole;
  }

  /** Takes the calls of these users out of requests that also hold calls of others. */
  #cut(requestIds: ReadonlySet<number>, users: Users, changes: Changes): number {
    const { store } = this.#deps;
    let cut = 0;
    for (const id of requestIds) {
      const request = store.request(id);
      const shorter = request === undefined ? null : cutCalls(request, isCallOf(users));
      if (shorter === null) continue;
      store.cut({ id, ...shorter }, changes);
      cut += shorter.cutCalls;
    }
    return cut;
  }

  #nextStep(after: number, upTo: number, users: Users): Step {
    const rows = this.#deps.store.calls({ after, upTo, limit: LOOKED_AT });
    const doomed: UserCall[] = [];
    for (const row of rows) {
      if (!users.has(row.userId) || !isErasable(row)) continue;
      doomed.push(row);
      if (doomed.length === ERASED) return { lookedAt: row.id, doomed };
    }
    return { lookedAt: rows.length < LOOKED_AT ? upTo : rows.at(-1)!.id, doomed };
  }
}

function byUser(erased: readonly ErasedMessage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { userId } of erased) if (userId !== null) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
}

const added = (before: ErasedCounts, erased: readonly ErasedMessage[], cut: number): ErasedCounts => ({
  ...before,
  messages: before.messages + erased.length,
  attempts: before.attempts + erased.reduce((sum, { attempts }) => sum + attempts, 0),
  replays: before.replays + erased.reduce((sum, { replays }) => sum + replays, 0),
  heldCalls: before.heldCalls + erased.filter(({ isHeld }) => isHeld).length,
  cutCalls: before.cutCalls + cut,
});
