import type { MessageState } from '../../../src/core/model/vocabulary.ts';
import type {
  CallWindow,
  PlannedCall,
  SettledCall,
  StoredCall,
  StoredSync,
  SyncStore,
  SyncToSave,
  WhoseSyncs,
} from '../../../src/core/store/ports/syncs.ts';
import type { Tables } from './tables.ts';

export class MemorySyncs implements SyncStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  #all({ audienceId, kind }: WhoseSyncs = { audienceId: null, kind: null }): StoredSync[] {
    return this.#tables.syncs.where((sync) => {
      const audience = this.#tables.audiences.get(sync.audienceId);
      const isOfKind = kind === null || audience?.kind === kind;
      return audience?.removed === false && isOfKind && (audienceId === null || sync.audienceId === audienceId);
    });
  }

  sync(id: number): StoredSync | undefined {
    return this.#all().find((sync) => sync.id === id);
  }

  byNumber(audienceId: number, n: number): StoredSync | undefined {
    return this.#all({ audienceId, kind: null }).find((sync) => sync.n === n);
  }

  list({ before, limit, ...whose }: Parameters<SyncStore['list']>[0]): StoredSync[] {
    const older = this.#all(whose).filter(({ id }) => before === null || id < before);
    return older.reverse().slice(0, limit);
  }

  count(whose: WhoseSyncs): number {
    return this.#all(whose).length;
  }

  open(): StoredSync[] {
    return this.#all().filter(({ state }) => state !== 'done');
  }

  save({ id, ...sync }: SyncToSave): number {
    const { delivered, failed, endedAt, expected, state } = sync;
    if (state === 'done' && (delivered ?? 0) + (failed ?? 0) !== expected) throw new Error('does not add up');
    if ((state === 'done') !== (endedAt !== null && delivered !== null)) throw new Error('done or not');
    const key = id ?? this.#tables.syncs.nextId();
    this.#tables.syncs.set(key, { ...sync, id: key });
    return key;
  }

  oldestNumber(audienceId: number): number | null {
    const numbers = this.#tables.syncs.where((sync) => sync.audienceId === audienceId).map(({ n }) => n);
    return numbers.length === 0 ? null : Math.min(...numbers);
  }

  removeOld({ audienceId, upTo, limit }: { audienceId: number; upTo: number; limit: number }): number {
    const old = this.#tables.syncs
      .where(
        ({ id, audienceId: own, n, state }) =>
          own === audienceId && n <= upTo && state === 'done' && this.#callsOf(id).length === 0,
      )
      .sort((a, b) => a.n - b.n)
      .slice(0, limit);
    for (const { id } of old) this.#tables.syncs.delete(id);
    return old.length;
  }

  addCalls(syncId: number, calls: readonly PlannedCall[]): void {
    for (const call of calls) {
      const key = `${syncId} ${call.position}`;
      if (this.#tables.syncCalls.get(key) !== undefined) throw new Error('position taken');
      this.#tables.syncCalls.set(key, { ...call, syncId, messageId: null, outcome: null, reason: null });
    }
  }

  #callsOf(syncId: number): StoredCall[] {
    return this.#tables.syncCalls
      .where((call) => call.syncId === syncId)
      .sort((a, b) => a.position - b.position)
      .map(({ syncId: _, ...call }) => call);
  }

  removeCalls(syncId: number, limit: number): boolean {
    const gone = this.#callsOf(syncId).slice(0, limit);
    for (const { position } of gone) this.#tables.syncCalls.delete(`${syncId} ${position}`);
    return gone.length > 0;
  }

  takeOut({ syncId, position, last }: { syncId: number; position: number; last: number }): void {
    const { syncCalls } = this.#tables;
    const moved = syncCalls.get(`${syncId} ${last}`);
    syncCalls.delete(`${syncId} ${position}`);
    if (last === position || moved === undefined) return;
    syncCalls.delete(`${syncId} ${last}`);
    syncCalls.set(`${syncId} ${position}`, { ...moved, position });
  }

  calls({ syncId, after, limit, only }: CallWindow): StoredCall[] {
    return this.#callsOf(syncId)
      .filter(({ position, outcome }) => position > after && (only === 'all' || outcome === 'failed'))
      .slice(0, limit);
  }

  openCalls(syncId: number): Array<{ position: number; messageId: number }> {
    return this.#callsOf(syncId).flatMap(({ position, messageId, outcome }) =>
      messageId !== null && outcome === null ? [{ position, messageId }] : [],
    );
  }

  sent({ syncId, position, messageId }: { syncId: number; position: number; messageId: number }): void {
    this.#tables.syncCalls.update(`${syncId} ${position}`, { messageId });
  }

  anonymise({ syncId, position }: { syncId: number; position: number }): void {
    const { syncCalls } = this.#tables;
    const key = `${syncId} ${position}`;
    const call = syncCalls.get(key);
    if (call === undefined) return;
    const plain = (json: string): string => (json === 'true' || json === 'false' ? json : 'null');
    const before = call.before === null ? null : plain(call.before);
    syncCalls.update(key, { userId: '', value: plain(call.value), before });
  }

  settle({ syncId, position, outcome, reason }: SettledCall): void {
    const key = `${syncId} ${position}`;
    if (this.#tables.syncCalls.get(key)?.outcome === null) this.#tables.syncCalls.update(key, { outcome, reason });
  }

  outcomes(syncId: number): { delivered: number; failed: number } {
    const calls = this.#callsOf(syncId);
    const of = (wanted: string): number => calls.filter(({ outcome }) => outcome === wanted).length;
    return { delivered: of('delivered'), failed: of('failed') };
  }

  failures(syncId: number): Array<{ reason: string; count: number }> {
    const counts = new Map<string, number>();
    for (const { reason } of this.calls({ syncId, after: 0, limit: Number.POSITIVE_INFINITY, only: 'failed' }))
      counts.set(reason ?? '', (counts.get(reason ?? '') ?? 0) + 1);
    return [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }

  statesOf(messageIds: readonly number[]): Map<number, MessageState> {
    return new Map(
      messageIds.flatMap((id) => {
        const message = this.#tables.messages.get(id);
        return message === undefined ? [] : [[id, message.state] as const];
      }),
    );
  }
}
