import { describe, expect, it } from 'vitest';
import { createLookup } from '../../../src/core/delivery/transport/dial.ts';

describe('the lookup', () => {
  it('asks once for a name however many attempts want it, and again later', async () => {
    const lookup = createLookup();
    const first = lookup('localhost');
    expect(lookup('localhost')).toBe(first);
    expect(await first).toEqual(expect.arrayContaining([{ address: '127.0.0.1', family: 4 }]));
    expect(lookup('localhost')).not.toBe(first);
  });

  it('says of which family an address is', async () => {
    expect(await createLookup()('::1')).toEqual([{ address: '::1', family: 6 }]);
  });

  it('tells everyone who asked that there is no such name', async () => {
    const lookup = createLookup();
    const asked = [lookup('no-such-name.invalid'), lookup('no-such-name.invalid')];
    for (const answer of asked)
      await expect(answer).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTFOUND|EAI_)/) });
  });
});
