/** Erasing a user with 10,000 messages: notices first, and afterwards no byte of the user in any file. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandOutput } from '../../src/contract/commands.ts';
import type { DeletionDetail } from '../../src/contract/deletions.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';

const USER = 'usr_doomed_5d10';
const OTHER = 'usr_kept_9f00';
const EMAIL = 'doomed-5d10@example.test';
const MESSAGES = 10_000;
const BATCH = 500;

async function finished(engine: RunningEngine, id: number): Promise<DeletionDetail> {
  return engine.until(async () => {
    const detail = await engine.client.call('deletions.get', { id });
    return detail.phase === 'finished' && detail.notices.waiting === 0 ? detail : undefined;
  });
}

/** How many attempts were made for these messages. A busy machine may answer some of them too late, and then more. */
async function attemptsFor(engine: RunningEngine, messageIds: readonly string[]): Promise<number> {
  const wanted = new Set(messageIds);
  let found = 0;
  for (let after: number | null = 0; after !== null; ) {
    const page: CommandOutput<'attempts.list'> = await engine.client.call('attempts.list', { after, limit: 1_000 });
    found += page.rows.filter(({ message }) => wanted.has(message)).length;
    after = page.nextAfter;
  }
  return found;
}

/** How often each text is in the files of the workspace, its log included. */
function found(workspace: string, texts: readonly string[]): Record<string, number> {
  const counts = Object.fromEntries(texts.map((text) => [text, 0]));
  for (const name of readdirSync(workspace)) {
    const bytes = readFileSync(join(workspace, name));
    for (const text of texts)
      for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) counts[text]! += 1;
  }
  return counts;
}

test('a user with 10,000 messages leaves nothing but the request, its notices and the suppression', async () => {
  const hook = await startReceiver(({ body }) => ({ status: 200, body }));
  onTestFinished(() => hook.close());
  const config = configOf([hook.url]);
  const engine = await startEngine({
    config: {
      ...config,
      sources: [...config.sources!, { name: 'off', writeKey: 'wk_off', kind: 'web', enabled: true, webhooks: false }],
    },
  });
  const messageIds: string[] = [];
  const call = (userId: string, i: number) => {
    const messageId = `msg-${userId}-${randomUUID()}`;
    if (userId === USER) messageIds.push(messageId);
    const traits = { email: userId === USER ? EMAIL : 'kept@example.test', i };
    return i % 10 === 0
      ? { type: 'identify', userId, messageId, traits }
      : { type: 'track', event: 'Order Completed', userId, messageId, properties: { email: traits.email, i } };
  };
  for (let from = 0; from < MESSAGES; from += BATCH) {
    const calls = Array.from({ length: BATCH }, (_, i) => call(USER, from + i));
    // Each batch also holds a call of somebody else, with spaces of its own.
    const batch = [
      ...calls.map((one) => JSON.stringify(one)),
      `{ "type":"track", "event":"Kept", "userId":"${OTHER}" }`,
    ];
    const answer = await fetch(`${engine.ingest}/v1/batch`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${from % 1000 === 0 ? WRITE_KEY : 'wk_off'}:`).toString('base64')}`,
      },
      body: `{"batch":[${batch.join(' , ')}]}`,
    });
    expect(answer.status).toBe(200);
  }
  const total = MESSAGES + MESSAGES / BATCH;
  await engine.until(async () => {
    const { counts } = await engine.client.call('app.status');
    return counts.delivered === total / 2 ? true : undefined;
  });

  const attempts = await attemptsFor(engine, messageIds);
  expect(attempts).toBeGreaterThanOrEqual(MESSAGES / 2);
  const preview = await engine.client.call('deletions.preview', { userIds: [USER] });
  expect(preview).toMatchObject({ known: 1, calls: MESSAGES, callsWithDestination: MESSAGES / 2, notices: 1 });
  expect(preview.erase).toMatchObject({ messages: MESSAGES, attempts, replays: 0 });
  expect(preview.sources.map(({ calls, notices }) => [calls, notices])).toEqual([
    [MESSAGES / 2, 1],
    [MESSAGES / 2, 0],
  ]);
  const before = found(engine.workspace, [USER, EMAIL, messageIds[0]!]);
  expect(Object.values(before).every((n) => n > 0)).toBe(true);

  const { id } = await engine.client.call('deletions.create', { userIds: [USER], erase: true, suppress: true });
  const detail = await finished(engine, id);
  expect(detail).toMatchObject({ state: 'done', notices: { total: 1, delivered: 1 }, suppressed: 1 });
  expect(detail.erased).toMatchObject({ messages: MESSAGES, attempts, cutCalls: MESSAGES });
  expect(detail.search).toMatchObject({ found: 0, files: 'cleared' });
  const notice = hook.requests.map(({ body }) => body.toString()).filter((body) => body.includes('"delete"'));
  expect(notice).toEqual([
    `{"type":"delete","userId":"${USER}","timestamp":"${new Date(detail.createdAt).toISOString()}"}`,
  ]);

  const { rows } = await engine.client.call('messages.list', { filter: {}, limit: 1_000 });
  expect(rows.map(({ userId, type }) => `${userId} ${type}`).sort()).toEqual(
    [`${USER} delete`, ...new Array<string>(MESSAGES / BATCH).fill(`${OTHER} track`)].sort(),
  );
  const raw = await engine.client.call('messages.raw', { id: rows.at(-1)!.id });
  const body = Buffer.from(raw.bodyBase64, 'base64').toString();
  expect(body).toBe(`{"batch":[${'null , '.repeat(BATCH)}{ "type":"track", "event":"Kept", "userId":"${OTHER}" }]}`);

  await engine.stop();
  const after = found(engine.workspace, [EMAIL, ...messageIds, USER, 'msg-']);
  const { [USER]: ofUser, ...others } = after;
  expect(Object.entries(others).filter(([, n]) => n > 0)).toEqual([]);
  // The request, the suppression, the notice: its row, its received and delivered bytes, and the answer that echoes it.
  expect(ofUser).toBeGreaterThan(0);
  expect(ofUser).toBeLessThanOrEqual(6);
});
