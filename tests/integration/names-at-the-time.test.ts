/** A webhook that is edited, removed or replaced: what was tried before keeps the name that it had then. */
import { expect, test } from 'vitest';
import type { LineUpView } from '../../src/contract/values.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';

const refuses = () => startReceiver({ status: 503 });

/** Another round at once; resolves when it has ended. */
async function anotherRound(engine: RunningEngine, messageId: string, round: number): Promise<void> {
  const row = await engine.messageWhen(messageId, ({ state }) => state === 'retrying');
  await engine.client.call('messages.retryNow', { id: row.id });
  await engine.messageWhen(messageId, (one) => one.state === 'retrying' && one.round === round);
}

const detailOf = async (engine: RunningEngine, messageId: string) =>
  engine.client.call('messages.get', { id: (await engine.message(messageId))!.id });

const inWords = ({ webhooks }: LineUpView): string =>
  webhooks.map(({ slot, name, enabled }) => `${slot} ${name}${enabled ? '' : ' off'}`).join(', ');

/** Two webhooks; before round 2 the second becomes another one, before round 3 the first is off, then it is removed. */
async function edited() {
  const [one, two, other] = [await refuses(), await refuses(), await refuses()];
  const entries = [
    { name: 'CRM', url: one.url },
    { name: 'Loader', url: two.url },
  ];
  const engine = await startEngine({ config: configOf(entries, { speed: 1 }) });
  const [crm, loader] = engine.engine.parts.workspace.webhooks.all;
  const messageId = await engine.track('Order Completed');
  await engine.messageWhen(messageId, ({ state }) => state === 'retrying');
  const save = (id: number, more: { name: string; url: string; enabled: boolean }) =>
    engine.client.call('webhooks.save', { id, headers: [], ...more });
  await save(loader!.id, { name: 'Archive', url: other.url, enabled: true });
  await anotherRound(engine, messageId, 2);
  await save(crm!.id, { name: 'CRM', url: one.url, enabled: false });
  await anotherRound(engine, messageId, 3);
  return { engine, messageId, crm: crm!, loader: loader!, one, two, other };
}

test('each round knows the webhooks that it was made with, tried or not', async () => {
  const { engine, messageId, crm } = await edited();
  await engine.client.call('webhooks.remove', { id: crm.id });
  const { attempts, lineUps } = await detailOf(engine, messageId);
  expect(attempts.map(({ round, slot, webhookName }) => `${round}: ${slot} ${webhookName}`)).toEqual([
    '1: 1 CRM',
    '1: 2 Loader',
    '2: 1 CRM',
    '2: 2 Archive',
    '3: 2 Archive',
  ]);
  expect(lineUps.map(inWords)).toEqual(['1 CRM, 2 Loader', '1 CRM, 2 Archive', '1 CRM off, 2 Archive']);
  const [first, second, third] = [1, 2, 3].map((round) => attempts.find((one) => one.round === round)!.id);
  expect(lineUps.map(({ afterAttempt }) => afterAttempt)).toEqual([expect.any(Number), ...[second! - 1, third! - 1]]);
  expect(lineUps[0]!.afterAttempt).toBeLessThan(first!);
  const tried = await engine.client.call('messages.attempts', { id: (await engine.message(messageId))!.id });
  expect(tried.lineUps).toEqual(lineUps);
});

test('Overview counts a webhook under the name and address that it had, over a restart too', async () => {
  const { engine, crm, loader, one, two, other } = await edited();
  const expected = [
    { webhookId: crm.id, slot: 1, name: 'CRM', url: one.url, isNow: true, attempts: 2 },
    { webhookId: loader.id, slot: 2, name: 'Archive', url: other.url, isNow: true, attempts: 2 },
    { webhookId: loader.id, slot: 2, name: 'Loader', url: two.url, isNow: false, attempts: 1 },
  ];
  expect((await engine.client.call('overview.get', { range: '1h' })).webhooks).toMatchObject(expected);
  await engine.stop();
  const again = await startEngine({ workspace: engine.workspace, key: engine.key });
  const view = await again.client.call('overview.get', { range: '1h' });
  expect(view.webhooks).toMatchObject(expected);
  await again.client.call('webhooks.remove', { id: crm.id });
  const after = await again.client.call('overview.get', { range: '1h' });
  expect(after.webhooks.map(({ name, isNow, slot }) => `${slot} ${name} ${isNow}`)).toEqual([
    '1 CRM false',
    '2 Archive true',
    '2 Loader false',
  ]);
});

test('the record of a webhook says which attempts were made under another name or address', async () => {
  const { engine, loader, two } = await edited();
  const recent = engine.engine.parts.webhookViews.of(loader.id).recent;
  expect(recent.map(({ was }) => was)).toEqual([{ name: 'Loader', url: two.url }, null, null]);
  await engine.stop();
  const again = await startEngine({ workspace: engine.workspace, key: engine.key });
  expect(again.engine.parts.webhookViews.of(loader.id).recent.map(({ was }) => was)).toEqual(
    recent.map(({ was }) => was),
  );
});

test('a webhook is not said to fail for what it was before', async () => {
  const { engine, loader, other } = await edited();
  const fine = await startReceiver();
  const failing = async () =>
    (await engine.client.call('overview.get', { range: '1h' })).attention.flatMap((one) =>
      one.kind === 'webhook_failing' ? [one.webhookId] : [],
    );
  for (const messageId of [await engine.track('a'), await engine.track('b')])
    await engine.messageWhen(messageId, ({ state }) => state === 'retrying');
  expect(await failing()).toEqual([loader.id]);
  const leadTo = (url: string) =>
    engine.client.call('webhooks.save', { id: loader.id, name: 'Archive', url, headers: [], enabled: true });
  await leadTo(fine.url);
  expect(await failing()).toEqual([]);
  await engine.final(await engine.track('c'));
  await leadTo(other.url);
  expect(await failing()).toEqual([loader.id]);
});
