/** Syncs of audiences in SQLite, with their calls. */
import type { MessageState } from '../model/vocabulary.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import type { Changes } from './ports/changes.ts';
import type {
  CallWindow,
  PlannedCall,
  SettledCall,
  StoredCall,
  StoredSync,
  SyncStore,
  SyncToSave,
  WhoseSyncs,
} from './ports/syncs.ts';
import { columns, insertInto, Writes } from './statements.ts';

const SYNC_NAMES = [
  'audienceId',
  'n',
  'state',
  'token',
  'startedBy',
  'startedAt',
  'endedAt',
  'expected',
  'sent',
  'added',
  'removed',
  'changed',
  'delivered',
  'failed',
  'events',
  'series',
] as const;
const SYNC = columns(['id', ...SYNC_NAMES], 's');
const SYNCS = `SELECT ${SYNC} FROM syncs s JOIN audiences a ON a.id = s.audience_id AND a.removed = 0`;
const WHOSE = '(@audienceId IS NULL OR s.audience_id = @audienceId) AND (@kind IS NULL OR a.kind = @kind)';
const PLANNED_NAMES = ['position', 'userId', 'type', 'value', 'before'] as const;
const CALL = columns([...PLANNED_NAMES, 'messageId', 'outcome', 'reason']);

type SyncRow = Omit<StoredSync, 'events' | 'series'> & { readonly events: string; readonly series: string };

export class SqliteSyncs extends Writes implements SyncStore {
  readonly #damage: Damage;

  constructor(db: Db, damage: Damage = untold()) {
    super(db);
    this.#damage = damage;
  }

  #recordOf(row: SyncRow): StoredSync {
    return {
      ...row,
      events: this.#damage.parsed<unknown[]>(row.events, [], 'the events of a sync'),
      series: this.#damage.parsed<unknown[]>(row.series, [], 'the course of a sync'),
    };
  }

  readonly #sync = this.query<{ id: number }, SyncRow>(`${SYNCS} WHERE s.id = @id`);

  sync(id: number): StoredSync | undefined {
    const row = this.#sync.get({ id });
    return row && this.#recordOf(row);
  }

  readonly #byNumber = this.query<{ audienceId: number; n: number }, SyncRow>(
    `${SYNCS} WHERE s.audience_id = @audienceId AND s.n = @n`,
  );

  byNumber(audienceId: number, n: number): StoredSync | undefined {
    const row = this.#byNumber.get({ audienceId, n });
    return row && this.#recordOf(row);
  }

  readonly #list = this.query<WhoseSyncs & { before: number; limit: number }, SyncRow>(
    `${SYNCS} WHERE s.id < @before AND ${WHOSE} ORDER BY s.id DESC LIMIT @limit`,
  );

  list({ before, ...window }: Parameters<SyncStore['list']>[0]): StoredSync[] {
    const page = { ...window, before: before ?? Number.MAX_SAFE_INTEGER };
    const rows = this.#damage.around(() => this.#list.all(page), []);
    return rows.map((row) => this.#recordOf(row));
  }

  readonly #count = this.column<WhoseSyncs, number>(
    `SELECT count(*) FROM syncs s JOIN audiences a ON a.id = s.audience_id AND a.removed = 0 WHERE ${WHOSE}`,
  );

  count(whose: WhoseSyncs): number {
    return this.#count.get(whose)!;
  }

  readonly #open = this.query<undefined, SyncRow>(`${SYNCS} WHERE s.state <> 'done' ORDER BY s.id`);

  open(): StoredSync[] {
    return this.#damage.around(() => this.#open.all(), []).map((row) => this.#recordOf(row));
  }

  readonly #insert = this.command<Omit<SyncRow, 'id'>>(insertInto('syncs', SYNC_NAMES));
  readonly #update = this.command<SyncRow>(
    `UPDATE syncs SET state = @state, ended_at = @endedAt, expected = @expected, sent = @sent, added = @added,
       removed = @removed, changed = @changed, delivered = @delivered, failed = @failed, events = @events,
       series = @series WHERE id = @id`,
  );

  save({ id, ...sync }: SyncToSave, changes: Changes): number {
    const row = { ...sync, events: JSON.stringify(sync.events), series: JSON.stringify(sync.series) };
    if (id === undefined) return Number(this.#insert.run(changes, row).lastInsertRowid);
    this.#update.run(changes, { ...row, id });
    return id;
  }

  readonly #oldest = this.column<{ audienceId: number }, number | null>(
    'SELECT min(n) FROM syncs WHERE audience_id = @audienceId',
  );

  oldestNumber(audienceId: number): number | null {
    return this.#oldest.get({ audienceId }) ?? null;
  }

  readonly #removeOld = this.command<{ audienceId: number; upTo: number; limit: number }>(
    `DELETE FROM syncs WHERE id IN
       (SELECT id FROM syncs s WHERE audience_id = @audienceId AND n <= @upTo AND state = 'done'
          AND NOT EXISTS (SELECT 1 FROM sync_calls WHERE sync_id = s.id)
        ORDER BY n LIMIT @limit)`,
  );

  removeOld(old: { audienceId: number; upTo: number; limit: number }, changes: Changes): number {
    return this.#removeOld.run(changes, old).changes;
  }

  // Calls

  readonly #addCall = this.command<PlannedCall & { syncId: number }>(
    insertInto('sync_calls', ['syncId', ...PLANNED_NAMES]),
  );

  addCalls(syncId: number, calls: readonly PlannedCall[], changes: Changes): void {
    for (const call of calls) this.#addCall.run(changes, { ...call, syncId });
  }

  readonly #removeCalls = this.command<{ syncId: number; limit: number }>(
    `DELETE FROM sync_calls WHERE sync_id = @syncId AND position IN
       (SELECT position FROM sync_calls WHERE sync_id = @syncId LIMIT @limit)`,
  );

  removeCalls(syncId: number, limit: number, changes: Changes): boolean {
    return this.#removeCalls.run(changes, { syncId, limit }).changes > 0;
  }

  readonly #removeCall = this.command<{ syncId: number; position: number }>(
    'DELETE FROM sync_calls WHERE sync_id = @syncId AND position = @position',
  );
  readonly #moveCall = this.command<{ syncId: number; position: number; last: number }>(
    'UPDATE sync_calls SET position = @position WHERE sync_id = @syncId AND position = @last',
  );

  takeOut(call: { syncId: number; position: number; last: number }, changes: Changes): void {
    const { syncId, position, last } = call;
    this.#removeCall.run(changes, { syncId, position });
    if (last !== position) this.#moveCall.run(changes, call);
  }

  readonly #calls = this.query<Omit<CallWindow, 'only'>, StoredCall>(
    `SELECT ${CALL} FROM sync_calls WHERE sync_id = @syncId AND position > @after ORDER BY position LIMIT @limit`,
  );
  readonly #failed = this.query<Omit<CallWindow, 'only'>, StoredCall>(
    `SELECT ${CALL} FROM sync_calls INDEXED BY sync_calls_failed
     WHERE sync_id = @syncId AND position > @after AND outcome = 'failed' ORDER BY position LIMIT @limit`,
  );

  calls({ only, ...window }: CallWindow): StoredCall[] {
    return (only === 'failed' ? this.#failed : this.#calls).all(window);
  }

  readonly #openCalls = this.query<{ syncId: number }, { position: number; messageId: number }>(
    `SELECT position, message_id AS messageId FROM sync_calls INDEXED BY sync_calls_open
     WHERE sync_id = @syncId AND message_id IS NOT NULL AND outcome IS NULL ORDER BY position`,
  );

  openCalls(syncId: number): Array<{ position: number; messageId: number }> {
    return this.#openCalls.all({ syncId });
  }

  readonly #sent = this.command<{ syncId: number; position: number; messageId: number }>(
    'UPDATE sync_calls SET message_id = @messageId WHERE sync_id = @syncId AND position = @position',
  );

  sent(call: { syncId: number; position: number; messageId: number }, changes: Changes): void {
    this.#sent.run(changes, call);
  }

  readonly #anonymise = this.command<{ syncId: number; position: number }>(
    `UPDATE sync_calls SET user_id = '', value = iif(value IN ('true', 'false'), value, 'null'),
       before = iif(before IS NULL OR before IN ('true', 'false'), before, 'null')
     WHERE sync_id = @syncId AND position = @position`,
  );

  anonymise(call: { syncId: number; position: number }, changes: Changes): void {
    this.#anonymise.run(changes, call);
  }

  readonly #settle = this.command<SettledCall>(
    `UPDATE sync_calls SET outcome = @outcome, reason = @reason
     WHERE sync_id = @syncId AND position = @position AND outcome IS NULL`,
  );

  settle(settled: SettledCall, changes: Changes): void {
    this.#settle.run(changes, settled);
  }

  readonly #outcomes = this.query<{ syncId: number }, { delivered: number; failed: number }>(
    `SELECT count(*) FILTER (WHERE outcome = 'delivered') AS delivered,
       count(*) FILTER (WHERE outcome = 'failed') AS failed FROM sync_calls WHERE sync_id = @syncId`,
  );

  outcomes(syncId: number): { delivered: number; failed: number } {
    return this.#outcomes.get({ syncId })!;
  }

  readonly #failures = this.query<{ syncId: number }, { reason: string; count: number }>(
    `SELECT coalesce(reason, '') AS reason, count(*) AS count FROM sync_calls INDEXED BY sync_calls_failed
     WHERE sync_id = @syncId AND outcome = 'failed' GROUP BY reason ORDER BY count DESC, reason`,
  );

  failures(syncId: number): Array<{ reason: string; count: number }> {
    return this.#failures.all({ syncId });
  }

  readonly #state = this.column<{ id: number }, MessageState>('SELECT state FROM messages WHERE id = @id');

  statesOf(messageIds: readonly number[]): Map<number, MessageState> {
    const states = new Map<number, MessageState>();
    for (const id of messageIds) {
      const state = this.#damage.around(() => this.#state.get({ id }), undefined);
      if (state !== undefined) states.set(id, state);
    }
    return states;
  }
}
