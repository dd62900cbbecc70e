/** Secrets that no answer, log line or file may hold in plain (reliability, X4). */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectContract } from '../../src/contract/channel.ts';
import type { CommandName } from '../../src/contract/commands.ts';
import { commands } from '../../src/contract/commands.ts';
import { EXPORT_FORMATS } from '../../src/contract/exchange-limits.ts';
import type { HeaderView } from '../../src/contract/values.ts';
import { controlSocketPath } from '../../src/core/serving/control-path.ts';
import { connectControlSocket } from '../../src/core/serving/control-socket.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';

const CANARIES = {
  secret: 'canary-shared-secret-5f1c',
  authorization: 'Bearer canary-authorization-77aa',
  apiKey: 'canary-api-key-1b2c',
  cookie: 'session=canary-cookie-9d8e',
  access: 'canary-access-4e1a',
  team: 'canary-team-00ff',
  replayed: 'canary-replayed-3c3c',
};
const CANARY = /canary-[a-z-]+-[0-9a-f]{4}/;

/** Every command that exists, with arguments that work; a command that this leaves out fails the test. */
async function callEverything(engine: RunningEngine, messageId: string): Promise<void> {
  const { client, hello } = engine;
  const row = (await engine.message(messageId))!;
  const webhook = hello.parts.webhooks[0]!;
  const { attempts } = await client.call('messages.attempts', { id: row.id });
  const headers = webhook.headers.map(({ name }) => ({ name, value: null }));
  const source = { name: 'more', writeKey: 'wk_more', kind: 'web', enabled: true, webhooks: true } as const;
  const { name, url } = webhook;
  const rule = { match: 'all' as const, of: [] };
  const calls: { [N in CommandName]: () => Promise<unknown> } = {
    'app.hello': () => client.call('app.hello', {}),
    'app.visibility': () => client.call('app.visibility', { hidden: false }),
    'app.status': () => client.call('app.status'),
    'messages.window': () => client.call('messages.window', { fromRank: 0, count: 10 }),
    'messages.ranks': () => client.call('messages.ranks', { ids: [row.id] }),
    'messages.counts': () => client.call('messages.counts', { filter: {} }),
    'messages.values': () => client.call('messages.values', { filter: {}, key: 'event' }),
    'messages.ids': () => client.call('messages.ids', { filter: {}, limit: 10, rows: 10 }),
    'messages.at': () => client.call('messages.at', { time: 0 }),
    'messages.byIds': () => client.call('messages.byIds', { ids: [row.id] }),
    'messages.find': () => client.call('messages.find', { messageId: row.messageId }),
    'messages.get': () => client.call('messages.get', { id: row.id }),
    'messages.changes': () => client.call('messages.changes', { id: row.id }),
    'messages.raw': () => client.call('messages.raw', { id: row.id }),
    'filters.save': () => client.call('filters.save', { filters: [], hidden: [] }),
    'config.export': () => client.call('config.export'),
    'overview.get': () => client.call('overview.get', { range: 'session' }),
    'messages.attempts': () => client.call('messages.attempts', { id: row.id }),
    'attempts.bodies': () => client.call('attempts.bodies', { id: attempts[0]!.id }),
    'messages.list': () => client.call('messages.list', { filter: {}, limit: 10 }),
    'attempts.list': () => client.call('attempts.list', { limit: 100 }),
    'messages.export': async () => {
      for (const format of EXPORT_FORMATS) {
        const of = { filter: {} };
        let slice = await client.call('messages.export', { format, of });
        while (slice.next !== null) slice = await client.call('messages.export', { format, of, cursor: slice.next });
        expect(slice.written).toBeGreaterThan(0);
      }
    },
    'workspaces.list': () => client.call('workspaces.list'),
    'exports.save': () => client.call('exports.save', { mask: [] }),
    'messages.importOpen': () => client.call('messages.importOpen', {}),
    'messages.importText': () =>
      client.call('messages.importText', { import: 'x', text: '', last: true }).catch(() => {}),
    'messages.importClose': () => client.call('messages.importClose', { import: 'x' }),
    'messages.retryNow': () => client.call('messages.retryNow', { id: row.id }).catch(() => {}),
    'messages.retryAllNow': () => client.call('messages.retryAllNow', {}),
    'messages.stop': () => client.call('messages.stop', { id: row.id }).catch(() => {}),
    'messages.sendSample': () => client.call('messages.sendSample'),
    'messages.reingestHeld': () => client.call('messages.reingestHeld', { writeKey: 'none' }),
    'replay.send': async () => {
      await client.call('replay.send', { id: row.id, webhookIds: [webhook.id] });
      const headers = [{ name: 'X-Replayed-With', value: CANARIES.replayed }];
      await client.call('replay.send', { id: row.id, webhookIds: [webhook.id], headers, body: '{"edited":1}' });
    },
    'replay.sendFailed': () => client.call('replay.sendFailed', { sync: 1, webhookIds: [webhook.id] }).catch(() => {}),
    'replay.stop': () => client.call('replay.stop', { id: 1 }).catch(() => {}),
    'replay.preview': () => client.call('replay.preview', { id: row.id, body: '{}' }),
    'replay.body': () => client.call('replay.body', { id: 1 }).catch(() => {}),
    'replay.count': () => client.call('replay.count', { filter: {} }),
    'replay.bulk': () =>
      client.call('replay.bulk', { select: { ids: [row.id] }, webhookIds: [webhook.id], newTimestamp: true }),
    'replay.stopBulk': () => client.call('replay.stopBulk', { id: 1 }).catch(() => {}),
    'signature.explain': () => client.call('signature.explain', { attemptId: attempts[0]!.id, digest: '0'.repeat(40) }),
    'signature.attempt': () => client.call('signature.attempt', { attemptId: attempts[0]!.id }),
    'signature.search': () => client.call('signature.search', { attemptId: attempts[0]!.id, digest: '0'.repeat(40) }),
    'signature.variants': () => client.call('signature.variants', { attemptId: attempts[0]!.id }),
    'signature.compare': () => client.call('signature.compare', { attemptId: attempts[0]!.id, bytesBase64: 'e30=' }),
    'audiences.list': () => client.call('audiences.list'),
    'audiences.save': () => client.call('audiences.save', { name: 'A' }),
    'audiences.property': () => client.call('audiences.property', { name: 'A' }),
    'audiences.get': () => client.call('audiences.get', { id: 1 }),
    'audiences.editMembers': () => client.call('audiences.editMembers', { id: 1, add: ['u'] }),
    'audiences.pending': () => client.call('audiences.pending', { id: 1, limit: 10 }),
    'audiences.members': () => client.call('audiences.members', { id: 1, limit: 10 }),
    'audiences.withUser': () => client.call('audiences.withUser', { userIds: ['u'] }),
    'audiences.importOpen': () => client.call('audiences.importOpen', { id: 1 }),
    'audiences.importText': () =>
      client.call('audiences.importText', { import: 'x', text: '', last: true }).catch(() => {}),
    'audiences.importView': () => client.call('audiences.importView', { import: 'x' }).catch(() => {}),
    'audiences.importColumns': () =>
      client.call('audiences.importColumns', { import: 'x', userId: 0, label: null }).catch(() => {}),
    'audiences.importRows': () =>
      client
        .call('audiences.importRows', { import: 'x', show: 'all', order: 'file', offset: 0, limit: 1 })
        .catch(() => {}),
    'audiences.importRun': () => client.call('audiences.importRun', { import: 'x', mode: 'add' }).catch(() => {}),
    'audiences.importClose': () => client.call('audiences.importClose', { import: 'x' }),
    'audiences.dryRun': () => client.call('audiences.dryRun', { id: 1, limit: 10 }),
    'audiences.sync': () => client.call('audiences.sync', { id: 1 }),
    'audiences.stopSync': () => client.call('audiences.stopSync', { sync: 1 }).catch(() => {}),
    'audiences.resumeSync': () => client.call('audiences.resumeSync', { sync: 1 }).catch(() => {}),
    'audiences.getSync': () => client.call('audiences.getSync', { id: 1, n: 1 }),
    'audiences.syncs': () => client.call('audiences.syncs', { limit: 10 }),
    'audiences.syncCalls': () => client.call('audiences.syncCalls', { sync: 1, show: 'all', limit: 10 }),
    'audiences.remove': () => client.call('audiences.remove', { id: 9_999 }).catch(() => {}),
    'sources.save': () => client.call('sources.save', source),
    'sources.events': () => client.call('sources.events', { id: 1 }),
    'sources.switchEvent': () => client.call('sources.switchEvent', { id: 1, event: 'E', on: true }),
    'sources.remove': () => client.call('sources.remove', { id: 9_999 }).catch(() => {}),
    'webhooks.save': async () => {
      await client.call('webhooks.save', { id: webhook.id, name, url, headers, enabled: true });
      const twice = [...headers, { name: 'X-Signature', value: CANARIES.secret }];
      await expect(
        client.call('webhooks.save', { id: webhook.id, name, url, headers: twice, enabled: true }),
      ).rejects.toMatchObject({ code: 'invalid_header' });
    },
    // Looked at apart: the one answer with a value.
    'webhooks.headerValue': () => Promise.resolve(),
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
    'receivers.ofAttempt': () => client.call('receivers.ofAttempt', { attempt: attempts[0]!.id }),
    'receivers.useAsWebhook': () => client.call('receivers.useAsWebhook', { id: 'ok' }).catch(() => {}),
    'receivers.listen': () => client.call('receivers.listen', {}).catch(() => {}),
    'clock.pause': () => client.call('clock.pause'),
    'clock.resume': () => client.call('clock.resume'),
    'clock.step': () => client.call('clock.step').catch(() => {}),
    'faults.get': () => client.call('faults.get'),
    'faults.save': () => client.call('faults.save', { rules: [{ on: false, action: { kind: 'empty' } }], on: false }),
    'faults.report': () => client.call('faults.report', {}),
    'faults.clear': () => client.call('faults.clear'),
    'deletions.preview': () => client.call('deletions.preview', { userIds: ['nobody'] }),
    'deletions.dryRun': () => client.call('deletions.dryRun', { userIds: ['nobody'], count: 1 }),
    'deletions.create': () => client.call('deletions.create', { userIds: ['nobody'], suppress: true }),
    'deletions.list': () => client.call('deletions.list', { limit: 10 }),
    'deletions.get': () => client.call('deletions.get', { id: 1 }),
    'deletions.users': () => client.call('deletions.users', { id: 1, limit: 10 }),
    'deletions.messagesAfter': () => client.call('deletions.messagesAfter', { id: 1, limit: 10 }),
    'deletions.drill': () => client.call('deletions.drill', { userId: 'nobody' }),
    'deletions.forget': () => client.call('deletions.forget', { id: 9_999 }).catch(() => {}),
    'deletions.suppressions': () => client.call('deletions.suppressions', { limit: 10 }),
    'deletions.lift': () => client.call('deletions.lift', { userIds: ['nobody'] }),
    'deletions.suppress': () => client.call('deletions.suppress', { userIds: ['nobody'] }),
    'storage.save': () => client.call('storage.save', { maxAgeDays: 31 }),
    'storage.clear': () => client.call('storage.clear', { upTo: 1, after: 1 }),
    'ingest.save': () => client.call('ingest.save', { mode: 'segment' }),
    'clock.setSpeed': () => client.call('clock.setSpeed', { speed: 60 }),
    'ingest.https': () => client.call('ingest.https', { enabled: true, port: 0 }),
    'ingest.authority': () => client.call('ingest.authority'),
    'ingest.listen': () => client.call('ingest.listen', {}),
    'search.get': () => client.call('search.get'),
    'search.rebuild': () => client.call('search.rebuild'),
    'search.setEnabled': () => client.call('search.setEnabled', { enabled: true }),
    'people.get': () => client.call('people.get'),
    'people.rule': () => client.call('people.rule', { rule }),
    'people.trait': () => client.call('people.trait', { trait: { kind: 'count' } }),
    'people.sample': () => client.call('people.sample', { rule, count: 5 }).catch(() => {}),
    'people.list': () => client.call('people.list', { limit: 50 }).catch(() => {}),
    'people.person': () => client.call('people.person', { id: 'user-1' }).catch(() => {}),
    'people.explain': () => client.call('people.explain', { rule, userId: 'user-1' }).catch(() => {}),
    'people.values': () => client.call('people.values', { trait: { kind: 'count' }, limit: 10 }).catch(() => {}),
    'people.changes': () =>
      client.call('people.changes', { trait: { kind: 'count' }, userIds: ['user-1'] }).catch(() => {}),
    'people.properties': () => client.call('people.properties', {}).catch(() => {}),
    'people.fields': () => client.call('people.fields').catch(() => {}),
    'people.recount': () => client.call('people.recount'),
    'people.cancelRecount': () => client.call('people.cancelRecount'),
    'people.cancel': () => client.call('people.cancel', { rule }),
    'demo.get': () => client.call('demo.get'),
    'demo.open': () => client.call('demo.open', {}).catch(() => {}),
    'demo.step': () => client.call('demo.step', { step: 1 }).catch(() => {}),
    'demo.setRate': () => client.call('demo.setRate', { rate: 20 }).catch(() => {}),
    'demo.address': () => client.call('demo.address').catch(() => {}),
    'demo.reset': () => client.call('demo.reset', {}).catch(() => {}),
    'demo.end': () => client.call('demo.end').catch(() => {}),
  };
  expect(Object.keys(calls).sort()).toEqual(Object.keys(commands).sort());
  for (const call of Object.values(calls)) await call();
}

const filesOf = (workspace: string): Map<string, string> =>
  new Map(readdirSync(workspace).map((name) => [name, readFileSync(join(workspace, name)).toString('latin1')]));

test('a secret is in no answer of the contract, in no log line, and in no file of the store', async () => {
  const hook = await startReceiver(({ number }) => ({ status: number === 1 ? 500 : 200 }));
  onTestFinished(() => hook.close());
  const headers = {
    Authorization: CANARIES.authorization,
    'X-Api-Key': CANARIES.apiKey,
    Cookie: CANARIES.cookie,
    'X-Access': CANARIES.access,
    Team: CANARIES.team,
  };
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
    'x-access': CANARIES.access,
    team: CANARIES.team,
    'x-signature': expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(hook.requests.map(({ headers }) => headers['x-replayed-with'])).toContain(CANARIES.replayed);
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
  expect((await engine.connect()).hello.parts.destination.secret).toEqual(destination.secret);
  expect(engine.texts.filter((text) => text.includes(secret))).toHaveLength(1);
  expect(JSON.stringify(engine.log)).not.toContain(secret);
  for (const bytes of filesOf(engine.workspace).values()) expect(bytes).not.toContain(secret);
});

const NOWHERE = 'http://127.0.0.1:1/';

test('every value of a static header comes as a length, in attempts too, unless a person has marked it', async () => {
  const hook = await startReceiver(() => ({ status: 200 }));
  onTestFinished(() => hook.close());
  const headers = { 'X-Access': 'ab', 'X-Team': { value: 'checkout', shown: true }, Author: 'x'.repeat(40) };
  const engine = await startEngine({ config: configOf([{ url: hook.url, headers }]) });
  const told = [
    { name: 'X-Access', hiddenLength: 2 },
    { name: 'X-Team', value: 'checkout' },
    { name: 'Author', hiddenLength: 40 },
  ];
  expect(engine.hello.parts.webhooks[0]!.headers).toEqual(told);
  const id = await engine.track('Told');
  await engine.final(id);
  const [attempt] = await engine.attempts(id);
  const names = new Set(told.map(({ name }) => name));
  expect(attempt!.requestHeaders.filter(({ name }) => names.has(name))).toEqual(told);
  expect(attempt!.requestHeaders).toEqual(
    expect.arrayContaining<HeaderView>([
      { name: 'User-Agent', value: 'Hookbench/1.0' },
      { name: 'Content-Type', value: 'application/json' },
    ]),
  );
  expect(hook.requests[0]!.headers).toMatchObject({ 'x-access': 'ab', 'x-team': 'checkout' });
});

test('the app gives the value of one header to the person who asks, in one answer and in no batch', async () => {
  const headers = { 'X-Access': CANARIES.access, 'X-Other': CANARIES.team };
  const engine = await startEngine({ config: configOf([{ url: NOWHERE, headers }]) });
  const { client, hello } = engine;
  const { id } = hello.parts.webhooks[0]!;
  expect(await client.call('webhooks.headerValue', { id, name: 'x-access', at: 0 })).toEqual({
    value: CANARIES.access,
  });
  expect(engine.texts.filter((text) => CANARY.test(text))).toHaveLength(1);
  expect(JSON.stringify(engine.log)).not.toMatch(CANARY);
  await expect(client.call('webhooks.headerValue', { id, name: 'x-access', at: 1 })).rejects.toMatchObject({
    code: 'header_not_found',
  });
  await expect(client.call('webhooks.headerValue', { id: 99, name: 'x-access', at: 0 })).rejects.toMatchObject({
    code: 'webhook_not_found',
  });
});

test('the local socket gives no value: not by asking, and not by marking a stored one', async () => {
  const headers = { 'X-Access': CANARIES.access, 'X-Team': { value: 'checkout', shown: true } };
  const engine = await startEngine({ config: configOf([{ url: NOWHERE, headers }]), controlSocket: true });
  const heard: string[] = [];
  const channel = await connectControlSocket(controlSocketPath(engine.workspace));
  onTestFinished(() => channel.close());
  const client = connectContract(
    {
      post: (text) => channel.post(text),
      close: () => channel.close(),
      onText: (listener) =>
        channel.onText((text) => {
          heard.push(text);
          listener(text);
        }),
    },
    () => {},
  );
  const { webhooks } = (await client.call('app.hello', {})).parts;
  const { id, name, url } = webhooks[0]!;
  await expect(client.call('webhooks.headerValue', { id, name: 'X-Access', at: 0 })).rejects.toMatchObject({
    code: 'app_only',
  });
  const save = (header: object) =>
    client.call('webhooks.save', { id, name, url, enabled: true, headers: [header as never] });
  await expect(save({ name: 'X-Access', value: null, shown: true })).rejects.toMatchObject({ code: 'app_only' });
  await expect(save({ name: 'X-Access', value: null, at: 0, shown: true })).rejects.toMatchObject({ code: 'app_only' });
  // What a script may do: new values, and marks on what is shown already or on its own.
  expect((await save({ name: 'X-Access', value: null })).headers).toEqual([
    { name: 'X-Access', hiddenLength: CANARIES.access.length },
  ]);
  expect((await save({ name: 'X-New', value: 'mine', shown: true })).headers).toEqual([
    { name: 'X-New', value: 'mine' },
  ]);
  expect((await save({ name: 'X-New', value: null, shown: true })).headers).toEqual([{ name: 'X-New', value: 'mine' }]);
  expect(heard.length).toBeGreaterThan(5);
  for (const text of heard) expect(text).not.toMatch(CANARY);
});

test('a shared secret signs as it was entered, blanks at its ends too', async () => {
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  const engine = await startEngine({ config: configOf([hook.url]) });
  const secret = ' \tblanks at both ends \n';
  await engine.client.call('destination.setSecret', { secret });
  await engine.final(await engine.track('Signed'));
  const { body, headers } = hook.requests[0]!;
  expect(headers['x-signature']).toBe(createHmac('sha1', secret).update(body).digest('hex'));
});
