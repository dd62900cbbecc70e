/** Track events that a source has switched off: stored, counted, and not delivered. */
import { expect, test } from 'vitest';
import type { Config } from '../../src/contract/config.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';

const SOURCE = 1;

const listed = async ({ client }: RunningEngine, id = SOURCE) => {
  const { events, more } = await client.call('sources.events', { id });
  return { events: events.map(({ name, received, off }) => [name, received, off]), more };
};
const stateOf = async (engine: RunningEngine, messageId: string) => {
  const row = await engine.message(messageId);
  return [row?.state, row?.reason];
};

test('an event that is off is not selected, from the next call on, and delivered again once it is on', async () => {
  const hook = await startReceiver();
  const engine = await startEngine({ config: configOf([hook.url]) });
  await engine.final(await engine.track('Heartbeat'));
  const saved = await engine.client.call('sources.switchEvent', { id: SOURCE, event: 'Heartbeat', on: false });
  expect(saved.eventsOff).toEqual(['Heartbeat']);
  const off = await engine.track('Heartbeat');
  expect(await stateOf(engine, off)).toEqual(['not_selected', 'event_off']);
  const other = await engine.track('heartbeat');
  await engine.final(other);
  await engine.post('/v1/page', { userId: 'u', name: 'Heartbeat', messageId: 'page' });
  expect((await engine.final('page')).state).toBe('delivered');
  await engine.client.call('sources.switchEvent', { id: SOURCE, event: 'Heartbeat', on: true });
  const on = await engine.track('Heartbeat');
  expect((await engine.final(on)).state).toBe('delivered');
  // What was held back stays so, and can be replayed like any other.
  expect(await stateOf(engine, off)).toEqual(['not_selected', 'event_off']);
  expect((await engine.client.call('messages.get', { id: (await engine.message(off))!.id })).deliveredJson).toContain(
    '"event":"Heartbeat"',
  );
  expect(hook.requests).toHaveLength(4);
});

test('the list counts what is stored, by name, with those that are off first', async () => {
  const engine = await startEngine({ config: configOf([]) });
  expect(await listed(engine)).toEqual({ events: [], more: 0 });
  await engine.client.call('webhooks.save', { name: 'w', url: 'http://127.0.0.1:9/', headers: [], enabled: false });
  const batch = (event: string, count: number) =>
    Array.from({ length: count }, () => ({ type: 'track', userId: 'u', event }));
  await engine.post('/v1/batch', { batch: [...batch('B', 3), ...batch('A', 2), ...batch('', 4)] });
  await engine.post('/v1/page', { userId: 'u', name: 'A' });
  await engine.client.call('sources.switchEvent', { id: SOURCE, event: 'A', on: false });
  await engine.client.call('sources.switchEvent', { id: SOURCE, event: 'never came', on: false });
  const twice = { batch: [{ ...batch('A', 1)[0], messageId: 'twice' }] };
  await engine.post('/v1/batch', twice);
  await engine.post('/v1/batch', twice);
  expect(await listed(engine)).toEqual({
    events: [
      ['A', 3, 1],
      ['never came', 0, 0],
      ['B', 3, 0],
    ],
    more: 0,
  });
  const off = await engine.client.call('messages.list', {
    filter: { terms: [{ key: 'reason', values: ['event_off'] }] },
    limit: 10,
  });
  expect(off.rows).toHaveLength(1);
  await expect(listed(engine, 99)).rejects.toMatchObject({ code: 'source_not_found' });
});

test('a thousand names are counted in steps, the most frequent are listed, a cut name has no switch', async () => {
  const engine = await startEngine({ config: configOf([]) });
  const names = Array.from({ length: 1000 }, (_, n) => `event ${n}`);
  const call = (event: string) => ({ type: 'track', userId: 'u', event });
  for (let n = 0; n < 3; n += 1) await engine.post('/v1/batch', { batch: names.map(call) });
  await engine.post('/v1/batch', {
    batch: [call('often'), call('often'), call('often'), call('often'), call('x'.repeat(301))],
  });
  const { events, more } = await engine.client.call('sources.events', { id: SOURCE });
  expect([events.length, more]).toEqual([500, 502]);
  expect(events[0]).toMatchObject({ name: 'often', received: 4, whole: true });
  expect(new Set(events.slice(1).map(({ received }) => received))).toEqual(new Set([3]));
});

test('a name of 300 characters has a switch, one more is cut and has none', async () => {
  const engine = await startEngine({ config: configOf([]) });
  await engine.track('x'.repeat(300));
  await engine.track('y'.repeat(301));
  const { events } = await engine.client.call('sources.events', { id: SOURCE });
  expect(events.map(({ name, whole }) => [name.length, name[0], whole])).toEqual([
    [300, 'x', true],
    [300, 'y', false],
  ]);
  const event = 'x'.repeat(301);
  await expect(engine.client.call('sources.switchEvent', { id: SOURCE, event, on: false })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

test('switches survive an edit of the source, each other, and a restart; the config file replaces them', async () => {
  const source = { name: 'test', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true } as const;
  const withEvents = (eventsOff?: string[]): Config => ({ ...configOf([]), sources: [{ ...source, eventsOff }] });
  const first = await startEngine({ config: withEvents(['b', 'a', 'a']) });
  expect(first.hello.parts.sources[0]!.eventsOff).toEqual(['a', 'b']);
  await Promise.all([
    first.client.call('sources.switchEvent', { id: SOURCE, event: 'c', on: false }),
    first.client.call('sources.switchEvent', { id: SOURCE, event: '__proto__', on: false }),
    first.client.call('sources.switchEvent', { id: SOURCE, event: 'a', on: true }),
    first.client.call('sources.save', { ...source, id: SOURCE, name: 'renamed' }),
  ]);
  await first.stop();
  const { workspace, key } = first;
  const second = await startEngine({ workspace, key, config: withEvents() });
  expect(second.hello.parts.sources[0]).toMatchObject({ name: 'test', eventsOff: ['__proto__', 'b', 'c'] });
  await second.stop();
  const third = await startEngine({ workspace, key, config: withEvents([]) });
  expect(third.hello.parts.sources[0]!.eventsOff).toEqual([]);
});

test('no more than 1,000 are off', async () => {
  const names = Array.from({ length: 1000 }, (_, n) => `event ${n}`);
  const config = configOf([]);
  const engine = await startEngine({ config: { ...config, sources: [{ ...config.sources![0]!, eventsOff: names }] } });
  await expect(
    engine.client.call('sources.switchEvent', { id: SOURCE, event: 'one more', on: false }),
  ).rejects.toMatchObject({ code: 'too_many_events' });
  expect(
    (await engine.client.call('sources.switchEvent', { id: SOURCE, event: 'event 0', on: true })).eventsOff,
  ).toHaveLength(999);
});
