import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simClient } from './sim-client.ts';

it('any text comes through unharmed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
      const { client, time, requests } = simClient({ size: 1 });
      expect(client.track({ userId: text, event: text, properties: { [`k${text}`]: text } })).toBeNull();
      await time.settle();
      expect(requests[0]!.body.batch[0]).toMatchObject({
        userId: text,
        event: text,
        properties: { [`k${text}`]: text },
      });
    }),
    { numRuns: 50 },
  );
});
