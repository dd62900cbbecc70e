/** The store of the product, opened for the conformance suite. */

import { crc32 } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { receivedCalls } from '../../src/core/ingest/received-call.ts';
import { type Db, openStore } from '../../src/core/store/database.ts';
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { sqlitePorts } from '../../src/core/store/sqlite-ports.ts';
import { insertInto } from '../../src/core/store/statements.ts';
import { openUserCalls } from '../../src/core/store/user-calls.ts';
import { GroupWriter } from '../../src/core/store/writer.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import type { Arrange, StoreUnderTest } from './store-under-test.ts';
import { TurningSealer } from './turning-sealer.ts';

export function openSqlite(): StoreUnderTest {
  const workspace = tempWorkspace();
  const db = openStore(workspace);
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  const commits: Changes[] = [];
  const events = { committed: (changes: Changes) => void commits.push(changes), writable: () => {} };
  const sealer = new TurningSealer();
  const writer = new GroupWriter(db, new SimTime(), events);
  return {
    ...sqlitePorts(db, { writer, sealer, receivedCalls }),
    openUserCalls: () => {
      const calls = openUserCalls(workspace);
      onTestFinished(() => calls.close());
      return calls;
    },
    arrange: arrangeIn(db),
    commits,
    sealer,
  };
}

function arrangeIn(db: Db): Arrange {
  const insert = (table: string, row: object): void => {
    db.prepare(insertInto(table, Object.keys(row))).run(row);
  };
  return {
    request: (request) => insert('requests', { ...request, headers: JSON.stringify(request.headers) }),
    message: (message, wire = null) => {
      const notes = message.notes.length === 0 ? null : JSON.stringify(message.notes);
      insert('messages', { ...message, notes });
      db.prepare('UPDATE counters SET n = n + 1 WHERE state = ?').run(message.state);
      if (wire !== null) insert('message_bodies', { id: message.id, wire, crc32: crc32(wire) });
    },
    damageBody: (id) => {
      db.prepare('UPDATE message_bodies SET crc32 = crc32 + 1 WHERE id = ?').run(id);
    },
    attempt: ({ result, outcome, status, durationMs, ...attempt }, responseBody = null) => {
      if (outcome === null) insert('open_attempts', attempt);
      else insert('attempts', { ...attempt, outcome, status, durationMs });
      if (result !== null) insert('attempt_results', { id: attempt.id, result: JSON.stringify(result), responseBody });
    },
    replay: ({ signed, webhookIds, ...replay }, body = null) =>
      insert('replays', { ...replay, signed: Number(signed), webhookIds: JSON.stringify(webhookIds), body }),
    lineUp: ({ afterAttempt, webhooks }) =>
      insert('line_ups', {
        afterAttempt,
        webhooks: JSON.stringify(webhooks.map(({ id, slot, name, enabled }) => [id, slot, name, Number(enabled)])),
      }),
    clear: () => {
      for (const table of [
        'requests',
        'messages',
        'message_bodies',
        'attempts',
        'open_attempts',
        'attempt_results',
        'replays',
        'line_ups',
      ])
        db.exec(`DELETE FROM ${table}`);
      db.exec('UPDATE counters SET n = 0');
    },
  };
}
