/** What a read gives where its table or index cannot be read. Everything else goes on. */

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { NO_USERS } from '../../../src/core/model/audience-user.ts';
import { untold } from '../../../src/core/store/damage.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import type { StorePorts } from '../../../src/core/store/ports/store.ts';
import { sqlitePorts } from '../../../src/core/store/sqlite-ports.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { writerOf } from '../../helpers/direct-writer.ts';
import { putAttempt, putMessage } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';
import { TurningSealer } from '../../store/turning-sealer.ts';

/** For reading. */
const NO_WRITER = {
  ...writerOf(() => Promise.reject(new Error('reading only'))),
  writable: true,
  flush: () => {},
};

const ROWS = `
  INSERT INTO audiences (kind, name, property, sync_when, track, created_at) VALUES ('audience', 'a', 'a', 'hand', 0, 1);
  INSERT INTO audience_users (audience_id, user_id, value, since) VALUES (1, 'u', 'true', 1);
  INSERT INTO syncs (audience_id, n, state, token, started_by, started_at, events, series)
    VALUES (1, 1, 'running', 't', 'person', 1, '[1]', '[2]');
  INSERT INTO deletion_requests (created_at, users, sources, erase, suppress, forget, up_to, up_to_request, erased, search)
    VALUES (1, 1, '[]', 1, 1, 1, 1, 1, '{"messages":1}', '{"found":1}');
  INSERT INTO deletion_users (request_id, position, user_id) VALUES (1, 1, 'u');
  INSERT INTO deletion_notices (request_id, position, source_id, calls, message_id) VALUES (1, 1, 1, 1, 1);
  INSERT INTO suppressions (user_id, since) VALUES ('u', 1);`;

let workspace: string;
let db: Db;
let told: string[];
beforeEach(() => {
  workspace = tempWorkspace();
  db = openStore(workspace);
  onTestFinished(() => void db.close());
  putMessage(db);
  db.exec(ROWS);
});

/** Ports that note what they find damaged. */
function ports(): StorePorts {
  told = [];
  const damage = untold();
  damage.found = (what) => void told.push(what);
  return sqlitePorts(db, { writer: NO_WRITER, sealer: new TurningSealer(), receivedCalls, damage });
}

function torn(name: string): StorePorts {
  db.close();
  tear(workspace, name);
  db = openStore(workspace);
  return ports();
}

const ANY = { audienceId: null, kind: null, before: null, limit: 9 };
const PAGE = { id: 1, after: 0, limit: 9 };

test.each<[table: string, read: (store: StorePorts) => unknown[], otherwise: unknown[]]>([
  ['audiences', ({ audiences }) => [audiences.all()], [[]]],
  ['audience_users', ({ audiences }) => [audiences.counts(1)], [NO_USERS]],
  ['syncs', ({ syncs }) => [syncs.list(ANY), syncs.open()], [[], []]],
  [
    'deletion_requests',
    ({ deletions }) => [
      deletions.get(1),
      deletions.list({ before: 9, limit: 9 }),
      deletions.count(),
      deletions.unforgotten(),
    ],
    [undefined, [], 0, []],
  ],
  ['deletion_requests_unfinished', ({ deletions }) => [deletions.unfinished()], [[]]],
  [
    'deletion_users',
    ({ deletions }) => [deletions.users(PAGE), deletions.users({ ...PAGE, failedOnly: true })],
    [[], []],
  ],
  [
    'deletion_notices',
    ({ deletions }) => [deletions.notices({ id: 1, first: 1, last: 9 }), deletions.tally(1)],
    [[], []],
  ],
  ['deletion_notices_open', ({ deletions }) => [deletions.open()], [[]]],
  [
    'suppressions',
    ({ suppressions }) => [
      suppressions.userIds(),
      suppressions.window({ limit: 9 }),
      suppressions.count(),
      suppressions.totals(),
    ],
    [[], [], 0, []],
  ],
  ['messages_message_id', ({ details }) => [details.idsOf('m')], [[]]],
  ['messages', ({ syncs, deletions }) => [syncs.statesOf([1]), deletions.standings([1])], [new Map(), []]],
])('a torn page of %s hides its rows, and each read tells', (table, read, otherwise) => {
  expect(read(ports())).not.toEqual(otherwise);
  expect(told).toEqual([]);
  expect(read(torn(table))).toEqual(otherwise);
  expect(told).toEqual(otherwise.map(() => expect.stringContaining('malformed')));
});

describe('a text that was overwritten', () => {
  beforeEach(() => void db.pragma('ignore_check_constraints = ON'));

  test('leaves a sync without its events and its course', () => {
    db.exec("UPDATE syncs SET events = '[', series = '['");
    const { syncs } = ports();
    expect(syncs.sync(1)).toMatchObject({ token: 't', events: [], series: [] });
    expect(told).toEqual(['the events of a sync', 'the course of a sync']);
  });

  test('leaves a deletion request without its sources, its counts and its search', () => {
    db.exec("UPDATE deletion_requests SET sources = '[', erased = '{', search = '{'");
    const { deletions } = ports();
    expect(deletions.get(1)).toMatchObject({ sources: [], erased: { messages: 0, cutCalls: 0 }, search: null });
    expect(told).toEqual(['the sources of a deletion request', 'the counts of a deletion', 'the search of a deletion']);
  });
});

test('the result of an attempt that was overwritten is damage, and its text is still looked through for users', () => {
  putAttempt(db, 1, 1);
  for (const result of ['{"of":"u', '["OK",[],[[99,"u"]],[],2]']) {
    db.prepare('UPDATE attempt_results SET result = ?').run(result);
    const { details, erasure } = ports();
    expect(details.attempt(1)!.result).toBeNull();
    expect(told).toEqual(['the result of an attempt']);
    expect(erasure.results({ after: 0, upTo: 9, limit: 9 }).map(({ words }) => words)).toEqual([result]);
  }
});
