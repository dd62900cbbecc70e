import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/core/store/database.ts';
import { SqliteDetails } from '../../../src/core/store/details.ts';
import { applyMigrations, migrations } from '../../../src/core/store/migrations.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { REPLAYS_VIEW } from '../../../src/core/store/schema/edited-replays.ts';
import { NAMES_AT_THE_TIME } from '../../../src/core/store/schema/names-at-the-time.ts';
import { OPEN_ATTEMPTS_VIEWS } from '../../../src/core/store/schema/open-attempts.ts';
import { SqliteWebhooks } from '../../../src/core/store/webhooks.ts';
import { putAttempt } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

/** A store of the version before, with what it would hold. */
function olderStore(): Database.Database {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  applyMigrations(db, 0, migrations.indexOf(NAMES_AT_THE_TIME));
  const webhook = db.prepare(
    'INSERT INTO webhooks (id, slot, name, url, sealed_headers, enabled, created_at) VALUES (?, ?, ?, ?, ?, ?, 0)',
  );
  webhook.run(7, 1, 'CRM', 'http://crm.test/', Buffer.alloc(0), 1);
  webhook.run(9, 2, 'Archive', 'http://archive.test/', Buffer.alloc(0), 0);
  const attempt = db.prepare(
    `INSERT INTO attempts (id, message_id, webhook_id, slot, webhook_name, url, round, started_at, clock_at)
     VALUES (?, 1, ?, ?, ?, ?, 1, 0, 0)`,
  );
  attempt.run(1, 7, 1, 'Old CRM', 'http://old.test/');
  attempt.run(2, 7, 1, 'CRM', 'http://crm.test/');
  attempt.run(3, 8, 2, 'Gone', 'http://gone.test/');
  const counts = db.prepare(
    `INSERT INTO metric_attempts (minute, webhook_id, accepted, failed, timed_out, no_connection, refused_certificate,
       declined, throttled, interrupted, missed, answered, unanswered, response_ms)
     VALUES (?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, '[]', '[]', '[]')`,
  );
  for (const [minute, id, accepted] of [
    [5, 7, 3],
    [6, 7, 4],
    [6, 8, 5],
    [6, 9, 6],
    [6, 1, 7],
  ])
    counts.run(minute, id, accepted);
  return db;
}

test('counts from before keep their webhook, under the name of its newest attempt', () => {
  const db = olderStore();
  db.exec(NAMES_AT_THE_TIME);
  const rows = db
    .prepare(
      `SELECT m.minute, w.webhook_id, w.slot, w.name, w.url, m.accepted FROM metric_attempts m
       JOIN metric_webhooks w ON w.id = m.webhook ORDER BY m.accepted`,
    )
    .raw()
    .all();
  expect(rows).toEqual([
    [5, 7, 1, 'CRM', 'http://crm.test/', 3],
    [6, 7, 1, 'CRM', 'http://crm.test/', 4],
    [6, 8, 2, 'Gone', 'http://gone.test/', 5],
    [6, 9, 2, 'Archive', 'http://archive.test/', 6],
    [6, 1, 0, '', '', 7],
  ]);
});

test('nothing is said of the webhooks of attempts from before', () => {
  const db = olderStore();
  db.exec(NAMES_AT_THE_TIME);
  db.exec(REPLAYS_VIEW);
  db.exec(OPEN_ATTEMPTS_VIEWS);
  const details = new SqliteDetails(db);
  expect(details.lineUps(1, 3)).toEqual([]);
  expect(details.lineUps(1, 4)).toEqual([
    {
      afterAttempt: 3,
      webhooks: [
        { id: 7, slot: 1, name: 'CRM', enabled: true },
        { id: 9, slot: 2, name: 'Archive', enabled: false },
      ],
    },
  ]);
});

test('edits before the next attempt are one line-up, and the newest 1,000 are kept', () => {
  const db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  const sealer = { seal: (plain: string) => Buffer.from(plain), open: (sealed: Uint8Array) => String(sealed) };
  const changes = new Changes();
  const store = new SqliteWebhooks(db, sealer);
  const hook = { slot: 1, url: 'http://a.test/', headers: [], enabled: true, createdAt: 0 };
  const id = store.save({ ...hook, name: 'a' }, changes);
  const all = () => new SqliteDetails(db).lineUps(1, 1_000_000);
  store.save({ ...hook, id, name: 'b' }, changes);
  expect(all().map(({ webhooks }) => webhooks)).toEqual([[{ id, slot: 1, name: 'b', enabled: true }]]);
  for (let i = 0; i < 1_200; i++) {
    putAttempt(db, i + 1, 1, i % 2 === 0 ? 'failed' : null);
    store.save({ ...hook, id, name: `n${i}` }, changes);
  }
  expect(all()).toHaveLength(1_000);
  expect(all()[0]).toMatchObject({ afterAttempt: 201 });
  putAttempt(db, 1_201, 1);
  store.remove(id, changes);
  expect(all().at(-1)!.webhooks).toEqual([]);
});
