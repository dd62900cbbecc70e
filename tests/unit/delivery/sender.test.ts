import { describe, expect, test } from 'vitest';
import { NOT_SENT, Sender } from '../../../src/core/delivery/sender.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';

const WIRE = new TextEncoder().encode('{"type":"track"}');
const HOOK = {
  id: 1,
  slot: 1,
  name: 'hook',
  url: 'http://localhost:1/',
  headers: [['X-Tenant', 'acme']],
  enabled: true,
} as const;

function senderWith(secret: string | null | undefined): { sender: Sender; sent: AttemptRequest[] } {
  const sent: AttemptRequest[] = [];
  const transport = {
    send: async (request: AttemptRequest) => {
      sent.push(request);
      return { ...NOT_SENT, outcome: 'accepted' as const };
    },
    close: async () => {},
  };
  return { sender: new Sender(transport, { secret: () => secret, timeoutMs: () => 5_000 }), sent };
}

describe('signing', () => {
  test('a secret that cannot be read: nothing reaches the transport, and the attempt ends as interrupted', async () => {
    const { sender, sent } = senderWith(undefined);
    expect(await sender.send(HOOK, WIRE)).toMatchObject({ outcome: 'interrupted' });
    expect(sent).toEqual([]);
  });

  test('a secret signs exactly the bytes, before the static headers', async () => {
    const { sender, sent } = senderWith('s3cret');
    await sender.send(HOOK, WIRE);
    expect(sent[0]?.headers.slice(2)).toEqual([
      ['X-Signature', signatureOf('s3cret', WIRE)],
      ['X-Tenant', 'acme'],
    ]);
    expect(sent[0]?.body).toBe(WIRE);
  });

  test('no secret: no X-Signature', async () => {
    const { sender, sent } = senderWith(null);
    await sender.send(HOOK, WIRE);
    expect(sent[0]?.headers.map(([name]) => name)).toEqual(['User-Agent', 'Content-Type', 'X-Tenant']);
  });
});
