/** Commands of the contract that reach through the whole engine. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';

async function engineAndReceiver(): Promise<{ engine: RunningEngine; hook: Receiver }> {
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  return { engine: await startEngine({ config: configOf([hook.url], { secret: 'a secret' }) }), hook };
}

const bodies = ({ requests }: Receiver): Record<string, unknown>[] =>
  requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);

describe('calls of an unknown write key', () => {
  test('are held, and delivered once their source is added', async () => {
    const { engine, hook } = await engineAndReceiver();
    const { client } = engine;
    expect(await engine.post('/v1/track', { userId: 'u1', event: 'Held One', messageId: 'held-1' }, 'wk_new')).toBe(
      200,
    );
    const batch = [
      { type: 'identify', userId: 'u2', messageId: 'held-2' },
      { type: 'track', userId: 'u2', messageId: 'held-3' },
    ];
    expect(await engine.post('/v1/batch', { batch }, 'wk_new')).toBe(200);
    expect(await engine.post('/v1/track', { userId: 'u9', event: 'Other', messageId: 'other' }, 'wk_other')).toBe(200);
    const held = await client.call('messages.list', {
      filter: { terms: [{ key: 'status', values: ['rejected'] }] },
      limit: 10,
    });
    expect(held.rows.map(({ messageId, reason }) => [messageId, reason]).sort()).toEqual([
      ['held-1', 'unknown_source'],
      ['held-2', 'unknown_source'],
      ['held-3', 'unknown_source'],
      ['other', 'unknown_source'],
    ]);
    expect(hook.requests).toHaveLength(0);

    expect(await client.call('messages.reingestHeld', { writeKey: 'wk_new' })).toEqual({ calls: 0 });
    const source = { name: 'new', writeKey: 'wk_new', kind: 'server', enabled: true, webhooks: true } as const;
    const { id: sourceId } = await client.call('sources.save', source);
    expect(await client.call('messages.reingestHeld', { writeKey: 'wk_new' })).toEqual({ calls: 3 });

    const first = await engine.messageWhen('held-1', ({ state }) => state === 'delivered');
    expect(first.sourceId).toBe(sourceId);
    expect(await engine.messageWhen('held-2', ({ state }) => state === 'delivered')).toMatchObject({ userId: 'u2' });
    // Its source is known now; what is wrong with the call itself remains.
    expect(await engine.message('held-3')).toMatchObject({ state: 'rejected', reason: 'event_not_defined' });
    expect(await engine.message('other')).toMatchObject({ state: 'rejected', reason: 'unknown_source' });
    const { rows } = await client.call('messages.list', { filter: {}, limit: 100 });
    expect(rows).toHaveLength(4);
    expect(
      bodies(hook)
        .map(({ type, userId }) => [type, userId])
        .sort(),
    ).toEqual([
      ['identify', 'u2'],
      ['track', 'u1'],
    ]);
    expect(await client.call('messages.reingestHeld', { writeKey: 'wk_new' })).toEqual({ calls: 0 });
    const gone = held.rows.filter(({ messageId }) => messageId !== 'other').map(({ id }) => id);
    await engine.until(() => {
      const removed = new Set(engine.batches.flatMap(({ removedMessages }) => removedMessages));
      return gone.every((id) => removed.has(id)) || undefined;
    });
  });

  test('make a source by themselves where that is asked for', async () => {
    const hook = await startReceiver();
    onTestFinished(() => hook.close());
    const engine = await startEngine({ config: configOf([hook.url]), acceptAnyKey: true });
    expect(await engine.post('/v1/track', { userId: 'u1', event: 'E', messageId: 'any-1' }, 'wk_any')).toBe(200);
    expect(await engine.final('any-1')).toMatchObject({ state: 'delivered' });
    const { sources } = (await engine.connect()).hello.parts;
    expect(sources.map(({ writeKey }) => writeKey)).toEqual([WRITE_KEY, 'wk_any']);
  });
});

describe('a sample', () => {
  test('goes the way of every call', async () => {
    const { engine, hook } = await engineAndReceiver();
    const { messageId } = await engine.client.call('messages.sendSample');
    const row = await engine.final(messageId);
    expect(row).toMatchObject({ state: 'delivered', type: 'track', name: 'Signed Up', userId: 'user-42' });
    const timestamp = new Date(row.receivedAt).toISOString();
    expect(bodies(hook)).toEqual([
      {
        type: 'track',
        userId: 'user-42',
        timestamp,
        version: 1,
        event: 'Signed Up',
        properties: { plan: 'pro' },
        context: {},
      },
    ]);
    const detail = await engine.client.call('messages.get', { id: row.id });
    expect(detail.deliveredJson).toBe(hook.requests[0]!.body.toString());
    expect(detail.signature).toBe(hook.requests[0]!.headers['x-signature']);
    expect(detail.request).toMatchObject({ method: 'POST', path: '/v1/track', status: 200 });
  });

  test('needs an enabled source', async () => {
    const { engine } = await engineAndReceiver();
    const [source] = engine.hello.parts.sources;
    await engine.client.call('sources.save', {
      id: source!.id,
      name: 'off',
      kind: 'server',
      enabled: false,
      webhooks: true,
    });
    await expect(engine.client.call('messages.sendSample')).rejects.toMatchObject({ code: 'no_source' });
  });
});

describe('webhooks', () => {
  test('at most five, each with a full URL that is not Hookbench itself', async () => {
    const { engine } = await engineAndReceiver();
    const { client, port } = engine;
    const save = (url: string) => client.call('webhooks.save', { name: '', url, headers: [], enabled: true });
    await expect(save('example.com/hook')).rejects.toMatchObject({ code: 'invalid_url', field: 'url' });
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      await expect(save(`http://${host}:${port}/v1/track`)).rejects.toMatchObject({ code: 'loop_url', field: 'url' });
    for (let n = 2; n <= 5; n++) expect(await save(`http://127.0.0.1:1/${n}`)).toMatchObject({ slot: n });
    await expect(save('http://127.0.0.1:1/6')).rejects.toMatchObject({ code: 'too_many_webhooks' });
  });

  test('added, switched off and on again: the next calls go where they should', async () => {
    const { engine, hook } = await engineAndReceiver();
    const { client } = engine;
    const second = await startReceiver();
    onTestFinished(() => second.close());
    const edit = { name: 'second', url: second.url, headers: [{ name: 'X-Two', value: '2' }], enabled: true };
    const { id } = await client.call('webhooks.save', edit);
    await engine.final(await engine.track('To Both'));
    await Promise.all([hook.waitFor(1), second.waitFor(1)]);
    expect(second.requests[0]!.headers['x-two']).toBe('2');

    await client.call('webhooks.save', { ...edit, id, headers: [{ name: 'X-Two', value: null }], enabled: false });
    await engine.final(await engine.track('To One'));
    expect(second.requests).toHaveLength(1);
    await client.call('webhooks.save', { ...edit, id, headers: [{ name: 'X-Two', value: null }] });
    await engine.final(await engine.track('To Both Again'));
    await second.waitFor(2);
    expect(second.requests[1]!.headers['x-two']).toBe('2');
  });

  test('all off: calls pause, and are delivered when one is on', async () => {
    const { engine, hook } = await engineAndReceiver();
    const { client, hello } = engine;
    const { id, name, url } = hello.parts.webhooks[0]!;
    await client.call('webhooks.save', { id, name, url, headers: [], enabled: false });
    const messageId = await engine.track('Paused');
    await engine.messageWhen(messageId, ({ state }) => state === 'paused');
    expect(hook.requests).toHaveLength(0);
    await client.call('webhooks.save', { id, name, url, headers: [], enabled: true });
    expect(await engine.final(messageId)).toMatchObject({ state: 'delivered', round: 1 });
    expect(hook.requests).toHaveLength(1);
  });

  test('the shape of the body is that of the setting when the call came', async () => {
    const { engine, hook } = await engineAndReceiver();
    await engine.final(await engine.track('Documented'));
    await engine.client.call('destination.save', { body: 'pass-through' });
    const messageId = await engine.track('Passed Through');
    await engine.final(messageId);
    expect(bodies(hook).map((body) => body.messageId)).toEqual([undefined, messageId]);
  });
});
