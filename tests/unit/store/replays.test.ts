import { expect, test } from 'vitest';
import { SqliteReplays } from '../../../src/core/store/replays.ts';
import { DeliveryRows } from '../../helpers/delivery-rows.ts';
import { writerOf } from '../../helpers/direct-writer.ts';
import { attemptRow } from '../../store/rows.ts';

const attempt = { slot: 1, webhookName: 'a', url: 'http://a/', round: 2, startedAt: 5, clockAt: 6 };

test('a replay is counted on its message, has an attempt a webhook, and ends', async () => {
  const rows = new DeliveryRows();
  const { replays } = rows.stores;
  rows.put('delivered');
  const attempts = [2, 3].map((webhookId) => ({ ...attempt, webhookId }));
  expect(await replays.open({ messageId: 1, createdAt: 5, attempts })).toEqual({ replayId: 1, attemptIds: [1, 2] });
  expect([rows.row(1).replays, [...rows.changes.messages]]).toEqual([1, [1]]);
  expect(rows.row(2, 'attempts')).toMatchObject({ message_id: 1, replay_id: 1, webhook_id: 3, outcome: null });
  rows.forget();
  const result = attemptRow(1, 1).result!;
  await replays.finishAttempt(1, {
    id: 2,
    outcome: 'failed',
    status: 500,
    durationMs: 1,
    result,
    body: new Uint8Array(),
  });
  expect([rows.row(2, 'attempts').outcome, [...rows.changes.messages]]).toEqual(['failed', [1]]);
  rows.forget();
  await replays.finish({ replayId: 1, messageId: 1, finishedAt: 9, ended: 'done' });
  expect(rows.row(1, 'replays')).toMatchObject({ message_id: 1, created_at: 5, webhook_ids: '[2,3]', finished_at: 9 });
  expect([...rows.changes.messages]).toEqual([1]);
});

test('a replay says how many rows it writes, so that a commit stays short', async () => {
  const rows = new DeliveryRows();
  const told: unknown[] = [];
  const replays = new SqliteReplays(
    rows.db,
    writerOf(async (job, n) => {
      told.push(n);
      return job(rows.changes);
    }),
  );
  rows.put('delivered');
  const attempts = [2, 3, 4].map((webhookId) => ({ ...attempt, webhookId }));
  const jobId = await replays.openJob({ createdAt: 5, total: 1, targets: 3, rate: 10 });
  await replays.open({ messageId: 1, createdAt: 5, attempts });
  await replays.open({ messageId: 1, createdAt: 5, attempts, jobId });
  await replays.goOn({ messageId: 1, replayId: 1, attempts });
  expect(told).toEqual([2, 5, 6, 4]);
});

test('of many jobs the newest 20 stay, and one that runs', async () => {
  const rows = new DeliveryRows();
  const { replays } = rows.stores;
  for (let n = 1; n <= 25; n++) {
    const id = await replays.openJob({ createdAt: n, total: 1, targets: 1, rate: 10 });
    if (n > 1) await replays.endJob({ id, state: 'done', problem: null, finishedAt: n });
  }
  const kept = rows.db.prepare('SELECT id FROM replay_jobs ORDER BY id').pluck().all();
  expect(kept).toEqual([1, ...Array.from({ length: 20 }, (_, i) => i + 6)]);
});
