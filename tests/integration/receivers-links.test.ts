/** A request in a receiver's log leads to the attempt that sent it, and back, over real sockets. */
import { expect, it } from 'vitest';
import type { AttemptView } from '../../src/contract/values.ts';
import { CONCURRENCY } from '../../src/core/delivery/webhooks.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';

/** An engine with these receivers as webhooks. */
async function start(...ids: string[]): Promise<RunningEngine> {
  const running = await startEngine({ receivers: true, config: configOf([], { secret: 's' }) });
  await running.until(() =>
    [running.hello, ...running.batches].find(({ parts }) => parts.receivers?.http.state === 'listening'),
  );
  for (const id of ids) await running.client.call('receivers.useAsWebhook', { id });
  return running;
}

const hitOf = async ({ client }: RunningEngine, { id }: AttemptView) => {
  const requests = await client.call('receivers.ofAttempt', { attempt: id });
  return {
    requests,
    details: await Promise.all(
      requests.map((one) => client.call('receivers.hit', { id: one.receiver, hit: one.hit! })),
    ),
  };
};

it('every attempt of many calls of one length sent at once leads to its own request, and the request back to it', async () => {
  // One call for each sender of a webhook: with more, a message can be delivered before its second webhook has a turn.
  const running = await start('ok', 'gone');
  const { client } = running;
  const messages = await Promise.all(
    Array.from({ length: CONCURRENCY }, (_unused, i) =>
      running.track('Order Completed', { properties: { n: 10 + i } }),
    ),
  );
  const seen = new Set<string>();
  for (const messageId of messages) {
    const { id } = await running.final(messageId);
    const attempts = await running.until(async () => {
      const all = await running.attempts(messageId);
      return all.length === 2 && all.every(({ outcome }) => outcome !== null) ? all : undefined;
    });
    for (const [i, attempt] of attempts.entries()) {
      const { requests, details } = await hitOf(running, attempt);
      expect(requests).toMatchObject([{ receiver: attempt.slot === 1 ? 'ok' : 'gone', name: attempt.webhookName }]);
      const body = JSON.parse(Buffer.from(details[0]!.bodyBase64, 'base64').toString());
      const { deliveredJson } = await client.call('messages.get', { id });
      expect(body).toEqual(JSON.parse(deliveredJson!));
      expect(details[0]!.sender).toEqual({
        by: 'attempt',
        attempt: {
          id: attempt.id,
          messageId: id,
          type: 'track',
          name: 'Order Completed',
          number: i + 1,
          webhookId: attempt.webhookId,
          webhookName: attempt.webhookName,
          url: attempt.url,
        },
      });
      seen.add(`${requests[0]!.receiver} ${requests[0]!.hit}`);
    }
  }
  expect(seen.size).toBe(2 * CONCURRENCY);
});

it('names the webhook as it was then, and the number of each round on a kept connection', async () => {
  const running = await start('flaky');
  const messageId = await running.track('Signed Up');
  await running.final(messageId);
  const attempts = await running.attempts(messageId);
  const webhook = (await running.client.call('app.hello', {})).parts.webhooks[0]!;
  const { id, url } = webhook;
  await running.client.call('webhooks.save', { id, name: 'Renamed', url, headers: [], enabled: true });
  const senders = [];
  for (const attempt of attempts) senders.push((await hitOf(running, attempt)).details[0]!.sender);
  expect(senders).toMatchObject(
    [1, 2, 3, 4].map((number) => ({ by: 'attempt', attempt: { number, name: 'Signed Up', webhookName: 'Flaky' } })),
  );
});

it('says which requests no attempt sent, and when the request of an attempt is no longer kept', async () => {
  const running = await start('ok');
  const { client } = running;
  const messageId = await running.track('Order Completed');
  const { id } = await running.final(messageId);
  const [attempt] = await running.attempts(messageId);
  const { url } = attempt!;
  const { deliveredJson } = await client.call('messages.get', { id });
  await fetch(url, { method: 'POST', body: deliveredJson });
  const { rows } = await client.call('receivers.hits', { id: 'ok', limit: 10 });
  const senderOf = async (hit: number) => (await client.call('receivers.hit', { id: 'ok', hit })).sender;
  expect(await Promise.all(rows.map((row) => senderOf(row.id)))).toMatchObject([
    { by: 'elsewhere' },
    { by: 'attempt', attempt: { id: attempt!.id } },
  ]);
  await client.call('receivers.clear', { id: 'ok' });
  expect(await client.call('receivers.ofAttempt', { attempt: attempt!.id })).toEqual([
    { receiver: 'ok', name: 'Always 200', hit: null },
  ]);
});

it('a replay leads to its request too, and is not one of the own attempts', async () => {
  const running = await start('ok');
  const messageId = await running.track('Order Completed');
  const { id } = await running.final(messageId);
  const { webhookId } = (await running.attempts(messageId))[0]!;
  await running.client.call('replay.send', { id, webhookIds: [webhookId] });
  await running.until(() =>
    running.batches
      .flatMap(({ parts }) => parts.receivers?.entries ?? [])
      .find((one) => one.id === 'ok' && one.hits === 2),
  );
  const { rows } = await running.client.call('receivers.hits', { id: 'ok', limit: 1 });
  const { sender } = await running.client.call('receivers.hit', { id: 'ok', hit: rows[0]!.id });
  expect(sender).toMatchObject({ by: 'attempt', attempt: { messageId: id, number: null, webhookName: 'Always 200' } });
});
