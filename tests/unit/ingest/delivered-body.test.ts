/** The body in which a call is delivered. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/model/call.ts';
import type { CallType } from '../../../src/core/model/vocabulary.ts';
import { textOf } from '../../helpers/ingest-parts.ts';
import { batchOf, prepare, RECEIVED, wireOf } from '../../helpers/prepare-fields.ts';

const stamped = { timestamp: '2026-11-20T17:32:50.518Z', messageId: 'm1' };

describe('the documented body', () => {
  const at = '2026-11-20T17:32:50.518Z';
  const context = { library: { name: 'x' } };
  it.each([
    [
      'track',
      { event: 'E', userId: 'u', anonymousId: 'a', properties: { b: 1 }, context, integrations: {}, extra: 1 },
      { type: 'track', userId: 'u', timestamp: at, version: 1, event: 'E', properties: { b: 1 }, context },
    ],
    [
      'identify',
      { userId: 'u', traits: { email: 'e' }, context },
      { type: 'identify', userId: 'u', timestamp: at, version: 1, traits: { email: 'e' }, context },
    ],
    [
      'page',
      { userId: 'u', name: 'Home', category: 'Docs', properties: { path: '/' } },
      {
        type: 'page',
        userId: 'u',
        timestamp: at,
        version: 1,
        properties: { path: '/' },
        name: 'Home',
        category: 'Docs',
        context: {},
      },
    ],
    [
      'page',
      { userId: 'u', name: '', category: null, properties: null, context: null },
      { type: 'page', userId: 'u', timestamp: at, version: 1, context: {} },
    ],
    [
      'track',
      { userId: 'u', event: 'E', properties: null, context: null },
      { type: 'track', userId: 'u', timestamp: at, version: 1, event: 'E', context: {} },
    ],
    [
      'identify',
      { userId: 'u', traits: null, context: null },
      { type: 'identify', userId: 'u', timestamp: at, version: 1, context: {} },
    ],
    [
      'group',
      { userId: 'u', groupId: 'g', traits: null },
      { type: 'group', userId: 'u', timestamp: at, version: 1, groupId: 'g', context: {} },
    ],
    [
      'screen',
      { userId: 'u', name: null, properties: null },
      { type: 'screen', userId: 'u', timestamp: at, version: 1, context: {} },
    ],
    [
      'screen',
      { anonymousId: 'a', name: 'Main', properties: { x: 1 }, context },
      { type: 'screen', anonymousId: 'a', timestamp: at, version: 1, name: 'Main', properties: { x: 1 }, context },
    ],
    [
      'group',
      { userId: 'u', groupId: 5, traits: { name: 'G' } },
      { type: 'group', userId: 'u', timestamp: at, version: 1, groupId: '5', traits: { name: 'G' }, context: {} },
    ],
    [
      'alias',
      { userId: 'new', previousId: 'old' },
      { type: 'alias', timestamp: at, version: 1, 'Previous ID': 'old', 'User ID': 'new', context: {} },
    ],
    [
      'alias',
      { anonymousId: 'a', previousId: 'old' },
      { type: 'alias', anonymousId: 'a', timestamp: at, version: 1, 'Previous ID': 'old', context: {} },
    ],
  ] as [CallType, JsonObject, JsonObject][])('of %s %j has exactly its fields in their order', (type, call, body) => {
    expect(wireOf({ type, ...call, ...stamped })).toBe(JSON.stringify(body));
  });

  it.each(['documented', 'pass-through'] as const)('of a deletion notice has three fields (%s)', (body) => {
    const wire = wireOf({ type: 'delete', userId: 'u', context: {}, ...stamped }, { origin: 'deletion', body });
    expect(wire).toBe(`{"type":"delete","userId":"u","timestamp":"${at}"}`);
  });

  it('carries what ingest knows of the user where the call has no context, and nothing beside its own', () => {
    const call = { type: 'track', event: 'E', userId: 'u', ...stamped };
    const over = { knownContext: { ip: '10.1.2.3' } };
    expect(JSON.parse(wireOf(call, over)).context).toEqual({ ip: '10.1.2.3' });
    expect(JSON.parse(wireOf({ ...call, context: {} }, over)).context).toEqual({});
    expect(JSON.parse(wireOf({ ...call, context: [] }, over)).context).toEqual({});
    expect(JSON.parse(wireOf(call, { ...over, ...batchOf({ context: { a: 1 } }) })).context).toEqual({ a: 1 });
    expect(JSON.parse(wireOf(call, { ...over, body: 'pass-through' })).context).toBeUndefined();
  });

  it('writes characters as JSON.stringify does: no needless escapes, UTF-8', () => {
    const wire = wireOf({ type: 'track', event: 'Café <b>&\u2028', userId: '\ud800', ...stamped });
    expect(wire).toBe(
      `{"type":"track","userId":"\\ud800","timestamp":"${at}","version":1,"event":"Café <b>&\u2028","context":{}}`,
    );
  });
});

describe('the pass-through body', () => {
  it('is the whole normalised message without the write key', () => {
    const call = {
      event: 'E',
      userId: 42,
      anonymousId: null,
      writeKey: 'secret',
      extra: { a: [1] },
      sentAt: '2026-11-20T12:32:49-05:00',
      ...stamped,
    };
    const message = prepare(call, { type: 'track', body: 'pass-through' });
    expect(JSON.parse(textOf(message.wire))).toEqual({
      event: 'E',
      userId: '42',
      anonymousId: null,
      extra: { a: [1] },
      messageId: 'm1',
      type: 'track',
      sentAt: '2026-11-20T17:32:49.000Z',
      originalTimestamp: '2026-11-20T17:32:50.518Z',
      timestamp: '2026-11-20T17:33:01.518Z',
      receivedAt: RECEIVED,
    });
  });

  it('carries merged context and integrations, and alias by its own keys', () => {
    const call = { type: 'alias', userId: 'new', previousId: 'old', integrations: { All: true }, ...stamped };
    const over = batchOf({ context: { library: { name: 'go' } }, integrations: { Mail: false } });
    const body = JSON.parse(wireOf(call, { ...over, body: 'pass-through' }));
    expect(body).toMatchObject({
      previousId: 'old',
      userId: 'new',
      context: { library: { name: 'go' } },
      integrations: { Mail: false, All: true },
    });
  });
});

describe('keys that JavaScript knows', () => {
  it('stay own keys on the way to the wire: __proto__ and constructor', () => {
    const text =
      '{"type":"track","event":"E","userId":"u","messageId":"m","timestamp":"2026-11-20T17:32:50.518Z",' +
      '"properties":{"__proto__":{"polluted":1},"constructor":2},"context":{"__proto__":{"polluted":1}},"__proto__":{"x":1}}';
    const over = batchOf({ context: JSON.parse('{"__proto__":{"polluted":2},"constructor":3}') });
    expect(wireOf(JSON.parse(text), over)).toBe(
      '{"type":"track","userId":"u","timestamp":"2026-11-20T17:32:50.518Z","version":1,"event":"E",' +
        '"properties":{"__proto__":{"polluted":1},"constructor":2},' +
        '"context":{"__proto__":{"polluted":1},"constructor":3}}',
    );
    const whole = wireOf(JSON.parse(text), { ...over, body: 'pass-through' });
    expect(whole).toContain('"__proto__":{"x":1}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
