import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureOf, standardSignatureOf } from '../../../src/core/model/signature.ts';

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

describe('webhook-signature of Standard Webhooks', () => {
  const body = Buffer.from('{"test": 2432232314}');
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const atSeconds = 1_614_265_330;

  it('matches the published example, whose secret is base64 after whsec_', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(standardSignatureOf(secret, id, atSeconds, body)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('takes any other secret as text, one that ends with whsec_ too', () => {
    const asText = createHmac('sha256', 'MfKQ_whsec_').update(`${id}.${atSeconds}.`).update(body).digest('base64');
    expect(standardSignatureOf('MfKQ_whsec_', id, atSeconds, body)).toBe(`v1,${asText}`);
  });
});
