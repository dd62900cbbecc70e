/** Secrets that no answer, log line or file may hold in plain (reliability, X4). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CommandName } from '../../src/contract/commands.ts';
import { commands } from '../../src/contract/commands.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';

const CANARIES = {
  secret: 'canary-shared-secret-5f1c',
  authorization: 'Bearer canary-authorization-77aa',
  apiKey: 'canary-api-key-1b2c',
  cookie: 'session=canary-cookie-9d8e',
};
const CANARY = /canary-[a-z-]+-[0-9a-f]{4}/;

/** Every command that exists, with arguments that work; a command that this leaves out fails the test. */
async function callEverything(engine: RunningEngine, messageId: string): Promise<void> {
  const { client, hello } = engine;
  const row = (await engine.message(messageId))!;
  const webhook = hello.webhooks[0]!;
  const { attempts } = await client.call('messages.attempts', { id: row.id });
  const headers = webhook.headers.map(({ name }) => ({ name, value: null }));
  const source = { name: 'more', writeKey: 'wk_more', kind: 'web', enabled: true, webhooks: true } as const;
  const { name, url } = webhook;
  const calls: { [N in CommandName]: () => Promise<unknown> } = {
    'app.hello': () => client.call('app.hello', {}),
    'app.visibility': () => client.call('app.visibility', { hidden: false }),
    'app.status': () => client.call('app.status'),
    'messages.window': () => client.call('messages.window', { fromRank: 0, count: 10 }),
    'messages.ids': () => client.call('messages.ids', { filter: {}, limit: 10 }),
    'messages.byIds': () => client.call('messages.byIds', { ids: [row.id] }),
    'messages.get': () => client.call('messages.get', { id: row.id }),
    'messages.raw': () => client.call('messages.raw', { id: row.id }),
    'overview.get': () => client.call('overview.get', { range: 'session' }),
    'messages.attempts': () => client.call('messages.attempts', { id: row.id }),
    'attempts.bodies': () => client.call('attempts.bodies', { id: attempts[0]!.id }),
    'messages.list': () => client.call('messages.list', { filter: {}, limit: 10 }),
    'attempts.list': () => client.call('attempts.list', { limit: 100 }),
    'messages.retryNow': () => client.call('messages.retryNow', { id: row.id }).catch(() => {}),
    'messages.stop': () => client.call('messages.stop', { id: row.id }).catch(() => {}),
    'messages.sendSample': () => client.call('messages.sendSample'),
    'messages.reingestHeld': () => client.call('messages.reingestHeld', { writeKey: 'none' }),
    'replay.send': () => client.call('replay.send', { id: row.id, webhookIds: [webhook.id] }),
    'sources.save': () => client.call('sources.save', source),
    'sources.remove': () => client.call('sources.remove', { id: 9_999 }).catch(() => {}),
    'webhooks.save': async () => {
      await client.call('webhooks.save', { id: webhook.id, name, url, headers, enabled: true });
      const twice = [...headers, { name: 'X-Signature', value: CANARIES.secret }];
      await expect(
        client.call('webhooks.save', { id: webhook.id, name, url, headers: twice, enabled: true }),
      ).rejects.toMatchObject({ code: 'invalid_header' });
    },
    'webhooks.remove': () => client.call('webhooks.remove', { id: 9_999 }).catch(() => {}),
    'destination.save': () => client.call('destination.save', { timeoutMs: 4_000 }),
    'destination.setSecret': () => client.call('destination.setSecret', { secret: `${CANARIES.secret}` }),
    'destination.newSecret': () => Promise.resolve(),
    'messages.underProfile': () => client.call('messages.underProfile', { id: row.id, profile: 'classic' }),
    'receivers.list': () => client.call('receivers.list'),
    'receivers.save': () =>
      client.call('receivers.save', {
        name: 'mine',
        tls: false,
        steps: [{ response: { kind: 'close' } }],
        check: { on: true, onMismatch: 'mark', secret: 'shared' },
      }),
    'receivers.remove': () => client.call('receivers.remove', { id: 'mine' }),
    'receivers.reset': () => client.call('receivers.reset', { id: 'ok' }),
    'receivers.restart': () => client.call('receivers.restart', { id: 'ok' }).catch(() => {}),
    'receivers.clear': () => client.call('receivers.clear', { id: 'ok' }).catch(() => {}),
    'receivers.hits': () => client.call('receivers.hits', { id: 'ok', limit: 10 }).catch(() => {}),
    'receivers.hit': () => client.call('receivers.hit', { id: 'ok', hit: 1 }).catch(() => {}),
    'receivers.useAsWebhook': () => client.call('receivers.useAsWebhook', { id: 'ok' }).catch(() => {}),
    'receivers.listen': () => client.call('receivers.listen', {}).catch(() => {}),
    'clock.pause': () => client.call('clock.pause'),
    'clock.resume': () => client.call('clock.resume'),
    'clock.step': () => client.call('clock.step').catch(() => {}),
    'faults.get': () => client.call('faults.get'),
    'faults.save': () => client.call('faults.save', { rules: [{ on: false, action: { kind: 'empty' } }], on: false }),
    'faults.report': () => client.call('faults.report', {}),
    'faults.clear': () => client.call('faults.clear'),
    'storage.save': () => client.call('storage.save', { maxAgeDays: 31 }),
    'storage.clear': () => client.call('storage.clear', { upTo: 1, after: 1 }),
    'ingest.save': () => client.call('ingest.save', { mode: 'segment' }),
    'clock.setSpeed': () => client.call('clock.setSpeed', { speed: 60 }),
    'ingest.https': () => client.call('ingest.https', { enabled: true, port: 0 }),
    'ingest.authority': () => client.call('ingest.authority'),
    'ingest.listen': () => client.call('ingest.listen', {}),
  };
  expect(Object.keys(calls).sort()).toEqual(Object.keys(commands).sort());
  for (const call of Object.values(calls)) await call();
}

const filesOf = (workspace: string): Map<string, string> =>
  new Map(readdirSync(workspace).map((name) => [name, readFileSync(join(workspace, name)).toString('latin1')]));

test('a secret is in no answer of the contract, in no log line, and in no file of the store', async () => {
  const hook = await startReceiver(({ number }) => ({ status: number === 1 ? 500 : 200 }));
  onTestFinished(() => hook.close());
  const headers = { Authorization: CANARIES.authorization, 'X-Api-Key': CANARIES.apiKey, Cookie: CANARIES.cookie };
  const webhook = { url: hook.url, headers };
  const engine = await startEngine({ config: configOf([webhook], { secret: CANARIES.secret }) });
  const id = await engine.track('Secret Keeper');
  await engine.final(id);
  await callEverything(engine, id);
  await engine.until(async () => {
    const { replays } = await engine.client.call('messages.attempts', { id: 1 });
    return replays[0]?.finishedAt ?? undefined;
  });

  // They did go out: the test looks for the right thing.
  expect(hook.requests[0]!.headers).toMatchObject({
    authorization: CANARIES.authorization,
    'x-api-key': CANARIES.apiKey,
    cookie: CANARIES.cookie,
    'x-signature': expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(engine.texts.length).toBeGreaterThan(20);
  for (const text of engine.texts) expect(text).not.toMatch(CANARY);
  expect(JSON.stringify(engine.log)).not.toMatch(CANARY);

  const running = filesOf(engine.workspace);
  expect([...running.keys()]).toEqual(expect.arrayContaining(['store.sqlite', 'store.sqlite-wal']));
  // The plain parts are there: what is looked through is what was written.
  expect([...running.values()].join('')).toContain('Secret Keeper');
  for (const [name, bytes] of running)
    expect({ name, found: CANARY.exec(bytes)?.[0] }).toEqual({ name, found: undefined });
  await engine.stop();
  for (const [name, bytes] of filesOf(engine.workspace))
    expect({ name, found: CANARY.exec(bytes)?.[0] }).toEqual({ name, found: undefined });
});

test('a new secret is shown in the one answer that made it, and nowhere else', async () => {
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  const engine = await startEngine({ config: configOf([hook.url]) });
  const { secret, destination } = await engine.client.call('destination.newSecret');
  expect(secret).toMatch(/^[0-9a-f]{48}$/);
  expect(destination.secret).toEqual({ state: 'set', last2: secret.slice(-2), length: 48 });
  await engine.final(await engine.track('Signed'));
  expect(hook.requests[0]!.headers['x-signature']).toMatch(/^[0-9a-f]{40}$/);
  expect((await engine.connect()).hello.destination.secret).toEqual(destination.secret);
  expect(engine.texts.filter((text) => text.includes(secret))).toHaveLength(1);
  expect(JSON.stringify(engine.log)).not.toContain(secret);
  for (const bytes of filesOf(engine.workspace).values()) expect(bytes).not.toContain(secret);
});

test('the values of static headers come as lengths; harmless ones can be read', async () => {
  const headers = { Authorization: CANARIES.authorization, 'X-Team': 'checkout' };
  const { hello } = await startEngine({ config: configOf([{ url: 'http://127.0.0.1:1/', headers }]) });
  expect(hello.webhooks[0]!.headers).toEqual([
    { name: 'Authorization', hiddenLength: CANARIES.authorization.length },
    { name: 'X-Team', value: 'checkout' },
  ]);
});
