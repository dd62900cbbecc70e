/** What the interface of delivery reads from the real engine: the certificate of a webhook, a message's schedule. */
import { expect, onTestFinished, test } from 'vitest';
import type { SeenCertificate, WebhookView } from '../../src/contract/values.ts';
import { createSelfSigned } from '../helpers/certificates.ts';
import { configOf, type EngineClient, startEngine } from '../helpers/engine-fixture.ts';
import { answering, startRawReceiver } from '../helpers/raw-receiver.ts';
import { startReceiver } from '../helpers/receivers.ts';

const shownLast = ({ hello, batches }: EngineClient): WebhookView[] =>
  batches.findLast(({ parts }) => parts.webhooks !== undefined)?.parts.webhooks ?? hello.parts.webhooks;

const certificateOf = (client: EngineClient): SeenCertificate | null => shownLast(client)[0]!.certificate;

test('the certificate that a webhook showed is told live, after a restart, and not of another server', async () => {
  const { cert, key: tlsKey } = await createSelfSigned();
  const refused = await startRawReceiver(answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), {
    tls: { cert, key: tlsKey },
  });
  onTestFinished(() => refused.close());
  const engine = await startEngine({ config: configOf([refused.url]) });
  expect(certificateOf(engine)).toBeNull();
  await engine.final(await engine.track('Self Signed'));
  const seen = await engine.until(() => certificateOf(engine) ?? undefined);
  expect(seen).toMatchObject({ reason: 'self_signed' });
  expect(seen.info.subject).toContain('localhost');

  const { workspace, key } = engine;
  await engine.stop();
  const again = await startEngine({ workspace, key });
  expect(again.hello.parts.webhooks[0]?.certificate).toEqual(seen);
  const [{ id, name, enabled }] = again.hello.parts.webhooks as [WebhookView];
  const moved = await again.client.call('webhooks.save', {
    id,
    name,
    enabled,
    headers: [],
    url: 'https://another.invalid/hook',
  });
  expect(moved.certificate).toBeNull();
});

test('a paused clock is stepped to the round that the schedule of the message names, and to no other time', async () => {
  const hook = await startReceiver(({ number }) => ({ status: number === 1 ? 500 : 200 }));
  onTestFinished(() => hook.close());
  const engine = await startEngine({ config: configOf([hook.url], { speed: 1 }) });
  await engine.client.call('clock.pause');
  const messageId = await engine.track('Stepped');
  const row = await engine.messageWhen(messageId, ({ state }) => state === 'retrying');
  const { schedule } = await engine.client.call('messages.get', { id: row.id });
  expect(schedule?.rounds.slice(0, 2)).toMatchObject([
    { round: 1, kind: 'past' },
    { round: 2, kind: 'due', at: row.nextDueAt, wallAt: null },
  ]);
  const clock = await engine.client.call('clock.step');
  expect(clock).toMatchObject({ paused: true, clockAt: row.nextDueAt });
  expect(await engine.final(messageId)).toMatchObject({ state: 'delivered', round: 2 });
});
