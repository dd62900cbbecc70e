import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parsedViewOf, readCall, type StoredCall } from '../../../src/core/ingest/parsed-view.ts';
import { basic, KEY, makeWorld, NOON, sourceWith, textOf } from '../../helpers/ingest-parts.ts';

const view = (value: unknown, over: Partial<StoredCall> = {}) => {
  const stored: StoredCall = {
    path: '/v1/batch',
    body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    encoding: null,
    receivedAt: NOON,
    position: 0,
    messageId: 'assigned',
    ...over,
  };
  const text = parsedViewOf(stored);
  return text === null ? null : JSON.parse(text);
};
const track = (over: object = {}) => ({ type: 'track', event: 'E', userId: 'u', ...over });

describe('the parsed view of a stored message', () => {
  it('is the pass-through body that ingest made', async () => {
    const world = makeWorld();
    world.sources.push(sourceWith({ id: 2, writeKey: 'k' }));
    world.destinationNow = { ...world.destinationNow, body: 'pass-through' };
    const batch = [
      track({ userId: 5, timestamp: '2026-11-20T12:00:00-05:00', context: { library: { name: 'analytics.js' } } }),
      track({ messageId: 'own', integrations: { All: true } }),
    ];
    const body = JSON.stringify({
      batch,
      writeKey: 'k',
      sentAt: '2026-11-20T17:32:00Z',
      context: { app: { name: 'A' } },
    });
    const headers = [
      ['Host', 'localhost'],
      ['Content-Encoding', 'gzip'],
    ] as const;
    await world.ingest.handle({ method: 'POST', target: '/v1/b', headers, body: gzipSync(body), remote: '::1' });
    const { request, messages } = world.store.kept[0]!;
    expect(messages).toHaveLength(2);
    for (const message of messages) {
      const text = parsedViewOf({ ...request, ...message });
      expect(text).toBe(textOf(message.wire));
    }
  });

  it.each([
    ['2026-11-20T16:33:00.000Z', false, '2026-11-20T18:00:00.000Z'],
    ['2026-11-20T17:32:59.000Z', true, '2026-11-20T17:00:01.000Z'],
    ['2026-11-20T17:32:59.000Z', false, '2026-11-20T17:00:00.000Z'],
  ])('tells the timestamp that was delivered: sent at %s, every one corrected %s', async (sentAt, every, timestamp) => {
    const world = makeWorld();
    world.settings = { ...world.settings, correctEveryTimestamp: every };
    const call = track({ timestamp: '2026-11-20T17:00:00.000Z', sentAt });
    const headers = [
      ['Host', 'localhost'],
      ['Authorization', basic(KEY)],
    ] as const;
    const body = Buffer.from(JSON.stringify(call));
    await world.ingest.handle({ method: 'POST', target: '/v1/track', headers, body, remote: null });
    const { request, messages } = world.store.kept[0]!;
    expect(JSON.parse(textOf(messages[0]!.wire)).timestamp).toBe(timestamp);
    expect(JSON.parse(parsedViewOf({ ...request, ...messages[0]! })!).timestamp).toBe(timestamp);
  });

  it('takes the type from the path and the assigned id', () => {
    expect(view({ event: 'E', userId: 'u' }, { path: '//v1/t/' })).toMatchObject({
      type: 'track',
      messageId: 'assigned',
    });
    expect(view('', { path: '/v1/pixel/page?userId=u&name=Home' })).toMatchObject({ type: 'page', name: 'Home' });
  });

  it('reads a call in a query as JSON', () => {
    const path = '/v1/pixel/page?userId=u&name=Home';
    const stored = { path, body: Buffer.from(''), encoding: null, receivedAt: NOON, position: 0, messageId: 'm' };
    expect(readCall(stored)!.text).toBe('{"userId":"u","name":"Home"}');
  });

  it('shows a rejected call with its bad values as received', () => {
    const bad = { type: 'nonsense', userId: { a: 1 }, timestamp: 'soon', context: 'x', messageId: 'm'.repeat(100) };
    expect(view({ batch: [bad] })).toEqual({ ...bad, messageId: 'assigned', receivedAt: new Date(NOON).toISOString() });
  });

  it.each([
    ['malformed JSON', '{', {}],
    ['a position beyond the batch', { batch: [track()] }, { position: 1 }],
    ['an item that is no object', { batch: [5] }, {}],
    ['an empty batch', { batch: null }, {}],
    ['damaged gzip', '{}', { encoding: 'gzip' }],
    ['another path', track(), { path: '/nowhere' }],
  ])('is null for %s', (_, value, over) => {
    expect(view(value, over)).toBeNull();
  });
});
