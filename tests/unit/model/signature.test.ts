import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../../src/core/model/signature.ts';

describe('X-Signature', () => {
  it('matches what the Webhooks destination sends for a known body', () => {
    const body = Buffer.from(
      '{"version":1,"type":"track","userId":"019mr8mf4r","event":"Café <b>&","timestamp":"2012-12-02T00:30:08.276Z"}',
    );
    expect(body).toHaveLength(110);
    expect(signatureOf('s3cret', body)).toBe('9e6d35aa76957ee9775e23ae88c06caaecaea779');
  });

  it('is over the bytes, not over their text: invalid UTF-8 is signed as it is', () => {
    expect(signatureOf('k', Uint8Array.of(0xff))).not.toBe(signatureOf('k', Buffer.from('\ufffd')));
  });

  it('changes with every byte and with the secret', () => {
    const signatures = [
      signatureOf('a', Buffer.from('{}')),
      signatureOf('b', Buffer.from('{}')),
      signatureOf('a', Buffer.from('{} ')),
    ];
    expect(new Set(signatures).size).toBe(3);
    for (const signature of signatures) expect(signature).toMatch(/^[0-9a-f]{40}$/);
  });
});
