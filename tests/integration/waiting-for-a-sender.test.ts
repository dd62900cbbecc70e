import { expect, onTestFinished, test } from 'vitest';
import type { MessageRow, StatusView } from '../../src/contract/values.ts';
import { runCliProcess, sourceCli } from '../helpers/cli-process.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { type Answer, type Receiver, startReceiver } from '../helpers/receivers.ts';

/** Attempts that may be open to one webhook. */
const SENDERS = 16;
const MESSAGES = 110;
const REST = MESSAGES - SENDERS;

/** Answers nothing until it is let go. */
async function slowReceiver(): Promise<{ receiver: Receiver; letGo: () => void }> {
  let answer: (answer: Answer) => void = () => {};
  const held = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  const receiver = await startReceiver(() => held);
  onTestFinished(() => receiver.close());
  return { receiver, letGo: () => answer({ status: 200 }) };
}

async function startWith(urls: string[]): Promise<RunningEngine> {
  const config = configOf(urls, { speed: 1 });
  const engine = await startEngine({
    config: { ...config, webhooks: { ...config.webhooks, timeoutMs: 30_000 } },
    controlSocket: true,
  });
  const batch = Array.from({ length: MESSAGES }, (_, i) => ({ type: 'track', userId: 'u', event: `Event ${i}` }));
  expect(await engine.post('/v1/batch', { batch })).toBe(200);
  return engine;
}

const countsWhen = ({ client, until }: RunningEngine, when: (counts: StatusView['counts']) => boolean) =>
  until(async () => {
    const { counts } = await client.call('app.status');
    return when(counts) ? counts : undefined;
  });

test('of 110 messages that a fast webhook failed, 16 are delivering to the slow one and 94 wait, wherever they are counted', async () => {
  const fast = await startReceiver({ status: 503 });
  onTestFinished(() => fast.close());
  const { receiver: slow, letGo } = await slowReceiver();
  const engine = await startWith([fast.url, slow.url]);
  const { client, workspace } = engine;

  const counts = await countsWhen(engine, ({ queued, waiting }) => queued === 0 && waiting === REST);
  expect(counts).toMatchObject({ delivering: SENDERS, waiting: REST });
  expect(await client.call('messages.counts', { filter: {} })).toMatchObject({
    counts: { delivering: SENDERS, waiting: REST },
    total: MESSAGES,
  });
  const listed = async (state: MessageRow['state']): Promise<string[]> =>
    (
      await client.call('messages.list', { filter: { terms: [{ key: 'status', values: [state] }] }, limit: 1_000 })
    ).rows.map(({ cells }) => cells);
  expect(await listed('delivering')).toEqual(Array(SENDERS).fill('fs...'));
  expect(await listed('waiting')).toEqual(Array(REST).fill('fw...'));
  const args = ['messages', '--json', '--state', 'waiting', '--workspace', workspace];
  const { stdout } = await runCliProcess(args, {}, sourceCli);
  expect(stdout.trimEnd().split('\n')).toHaveLength(REST);

  letGo();
  await countsWhen(engine, ({ delivered }) => delivered === MESSAGES);
  expect(slow.requests).toHaveLength(MESSAGES);
});

test('of 110 messages to one slow webhook 16 are delivering and 94 are queued: their round has not begun', async () => {
  const { receiver: slow, letGo } = await slowReceiver();
  const engine = await startWith([slow.url]);
  await slow.waitFor(SENDERS);
  const counts = await countsWhen(engine, ({ delivering }) => delivering === SENDERS);
  expect(counts).toMatchObject({ queued: REST, waiting: 0 });
  letGo();
  await countsWhen(engine, ({ delivered }) => delivered === MESSAGES);
});
