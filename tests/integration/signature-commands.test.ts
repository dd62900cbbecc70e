/** The commands of the signature lab, on what a real engine sent. */
import { expect, test } from 'vitest';
import { ContractError } from '../../src/contract/errors.ts';
import { signatureOf } from '../../src/core/model/signature.ts';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';

const SECRET = 'whsec_c2VjcmV0';

async function sentAttempt(secret?: string, properties: object = {}) {
  const receiver = await startReceiver({ status: 200 });
  const { client, post, messageWhen } = await startEngine({ config: configOf([receiver.url], { secret }) });
  await post('/v1/track', { userId: 'u', event: 'A & B', messageId: 'm', properties });
  const { id } = await messageWhen('m', ({ state }) => state === 'delivered');
  const { attempts } = await client.call('messages.attempts', { id });
  return { client, attemptId: attempts[0]!.id, request: receiver.requests[0]! };
}

test('an attempt comes with its bytes, its signature, and what libraries would make of them', async () => {
  const { client, attemptId, request } = await sentAttempt(SECRET);
  const shown = await client.call('signature.attempt', { attemptId });
  expect(Buffer.from(shown.bodyBase64, 'base64').equals(request.body)).toBe(true);
  expect([shown.sent, shown.expected]).toEqual([request.headers['x-signature'], request.headers['x-signature']]);
  expect([shown.attempt.id, shown.message.name]).toEqual([attemptId, 'A & B']);
  const count = (library: string) => shown.hazards.find((one) => one.library === library)!.count;
  expect(count('JSON.stringify(JSON.parse(body))')).toBe(0);
  expect(count('Go json.Marshal of a map')).toBeGreaterThan(0);

  await client.call('destination.setSecret', { secret: 'another' });
  const later = await client.call('signature.attempt', { attemptId });
  expect([later.sent, later.expected]).toEqual([shown.sent, signatureOf('another', request.body)]);
});

test('a search comes in parts until the verdict, and one that has ended is not found', async () => {
  // 16 KB take far longer than one part, on any machine.
  const { client, attemptId, request } = await sentAttempt(SECRET, { text: 'Zoë & Co '.repeat(1_600) });
  let answer = await client.call('signature.search', { attemptId, digest: '0'.repeat(40) });
  let parts = 0;
  let search = '';
  while (!answer.done) {
    parts += 1;
    ({ search } = answer);
    answer = await client.call('signature.search', { search });
  }
  expect(parts).toBeGreaterThan(0);
  expect(answer).toMatchObject({ verdict: { kind: 'unexplained' }, bytes: request.body.length, hasOtherSecret: false });
  await expect(client.call('signature.search', { search })).rejects.toMatchObject({ code: 'search_not_found' });
});

test('a typed secret takes the place of the shared one, and stays with the question', async () => {
  const { client, attemptId, request } = await sentAttempt();
  const digest = signatureOf('typed', request.body);
  await expect(client.call('signature.explain', { attemptId, digest })).rejects.toMatchObject({ code: 'no_secret' });
  expect(await client.call('signature.explain', { attemptId, digest, secret: 'typed' })).toMatchObject({
    verdict: { kind: 'match' },
    sent: null,
    hasOtherSecret: false,
  });
  expect(await client.call('signature.search', { attemptId, digest, secret: 'typed' })).toMatchObject({
    done: true,
    verdict: { kind: 'match' },
  });
  const { variants } = await client.call('signature.variants', { attemptId, secret: 'typed' });
  expect(variants[0]).toEqual({ changes: [], library: null, digest });
});

test("a receiver's bytes are compared, and their digest told", async () => {
  const { client, attemptId, request } = await sentAttempt(SECRET);
  const compare = (bytes: Buffer) =>
    client.call('signature.compare', { attemptId, bytesBase64: bytes.toString('base64') });
  const escaped = Buffer.from(request.body.toString().replace('&', '\\u0026'));
  expect(await compare(escaped)).toEqual({
    difference: { at: request.body.indexOf('&'), field: 'event' },
    digest: signatureOf(SECRET, escaped),
  });
  expect(await compare(request.body)).toEqual({ difference: null, digest: request.headers['x-signature'] });
});

test('an attempt of an edited replay is judged by what it sent', async () => {
  const { client, attemptId, request } = await sentAttempt(SECRET);
  const { message, attempt } = await client.call('signature.attempt', { attemptId });
  const body = '{"edited":"A & B"}';
  await client.call('replay.send', { id: message.id, webhookIds: [attempt.webhookId], body });
  const { attempts, replays } = await client.call('messages.attempts', { id: message.id });
  const [edited] = replays[0]!.attempts;
  const shown = await client.call('signature.attempt', { attemptId: edited!.id });
  expect(Buffer.from(shown.bodyBase64, 'base64').toString()).toBe(body);
  expect(shown.expected).toBe(signatureOf(SECRET, Buffer.from(body)));
  const original = await client.call('signature.attempt', { attemptId: attempts[0]!.id });
  expect(Buffer.from(original.bodyBase64, 'base64').equals(request.body)).toBe(true);
});

test('what is not there is named', async () => {
  const { client } = await sentAttempt(SECRET);
  const unknown = { attemptId: 999 };
  const asked = [
    client.call('signature.attempt', unknown),
    client.call('signature.search', { ...unknown, digest: '' }),
    client.call('signature.variants', unknown),
    client.call('signature.compare', { ...unknown, bytesBase64: '' }),
  ];
  for (const one of await Promise.allSettled(asked)) {
    const { reason } = one as PromiseRejectedResult;
    expect([reason instanceof ContractError, (reason as ContractError).code]).toEqual([true, 'attempt_not_found']);
  }
});
