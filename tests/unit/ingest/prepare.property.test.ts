/** What holds for any calls at all; apart from the tables, because it takes seconds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareCalls } from '../../../src/core/ingest/prepare.ts';
import { textOf } from '../../helpers/ingest-parts.ts';
import { batchOf, fieldsWith, prepare } from '../../helpers/prepare-fields.ts';

describe('any calls at all', () => {
  const hostileKey = fc.constantFrom('__proto__', 'constructor', 'toJSON', 'hasOwnProperty', 'prototype', '1', '0');
  const json = fc.jsonValue({ depthSize: 'medium' });
  const dictionary = (value: fc.Arbitrary<unknown>) =>
    fc
      .array(fc.tuple(fc.oneof(hostileKey, fc.string()), value))
      // Through text, as from a client: then `__proto__` is an own key.
      .map((pairs) =>
        JSON.parse(`{${pairs.map(([key, v]) => `${JSON.stringify(key)}:${JSON.stringify(v)}`).join(',')}}`),
      );
  const call = fc
    .tuple(
      fc.record({
        type: fc.constantFrom('identify', 'track', 'page', 'screen', 'group', 'alias'),
        userId: fc.oneof(fc.string({ minLength: 1 }), fc.nat()),
        groupId: fc.string({ minLength: 1 }),
        previousId: fc.string({ minLength: 1 }),
        event: fc.string({ minLength: 1, unit: 'binary' }),
        properties: dictionary(json),
        traits: dictionary(json),
        context: dictionary(json),
        integrations: dictionary(json),
      }),
      dictionary(json),
    )
    .map(([fields, extra]) => ({ ...extra, ...fields }));
  const shape = fc.constantFrom('documented' as const, 'pass-through' as const);

  it('have a wire body that JSON.parse and JSON.stringify give back byte for byte', () => {
    fc.assert(
      fc.property(call, dictionary(json), shape, (one, context, body) => {
        const message = prepare(one, { ...batchOf({ context, integrations: context }), body });
        fc.pre(message.wire !== null);
        const wire = textOf(message.wire);
        expect(JSON.stringify(JSON.parse(wire))).toBe(wire);
      }),
      { numRuns: 400 },
    );
  });

  it('give one result each, in order, and leave every prototype alone', () => {
    const before = Reflect.ownKeys(Object.prototype).join();
    fc.assert(
      fc.property(fc.array(fc.oneof(json, call, dictionary(json))), dictionary(json), shape, (calls, context, body) => {
        const over = { ...batchOf({ context, integrations: context }), body };
        const messages = prepareCalls(calls, fieldsWith(over));
        expect(messages.map((message) => message.position)).toEqual(calls.map((_, at) => at));
        for (const message of messages) expect(message.wire === null).toBe(message.state === 'rejected');
      }),
      { numRuns: 200 },
    );
    expect(Reflect.ownKeys(Object.prototype).join()).toBe(before);
  });
});
