import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { NOT_SENT, Sender } from '../../../src/core/delivery/sender.ts';
import { type DeliveryRules, PROFILES } from '../../../src/core/model/rules.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

const WIRE = new TextEncoder().encode('{"type":"track"}');
const HOOK = {
  id: 1,
  slot: 1,
  name: 'hook',
  url: 'http://localhost:1/',
  headers: [['X-Tenant', 'acme']],
  enabled: true,
} as const;

function senderWith(
  secret: string | null | undefined,
  rules: DeliveryRules = PROFILES.documented,
): { sender: Sender; sent: AttemptRequest[] } {
  const sent: AttemptRequest[] = [];
  const transport = {
    send: async (request: AttemptRequest) => {
      sent.push(request);
      return { ...NOT_SENT, outcome: 'accepted' as const };
    },
    close: async () => {},
  };
  return { sender: new Sender(transport, new SimTime(), { secret: () => secret, rules: () => rules }), sent };
}

describe('signing', () => {
  test('a secret that cannot be read: nothing reaches the transport, and the attempt ends as interrupted', async () => {
    const { sender, sent } = senderWith(undefined);
    expect(await sender.send(HOOK, WIRE, 7)).toMatchObject({ outcome: 'interrupted' });
    expect(sent).toEqual([]);
  });

  test('a secret signs exactly the bytes, before the static headers', async () => {
    const { sender, sent } = senderWith('s3cret');
    await sender.send(HOOK, WIRE, 7);
    expect(sent[0]?.headers.slice(2)).toEqual([
      ['X-Signature', signatureOf('s3cret', WIRE)],
      ['X-Tenant', 'acme'],
    ]);
    expect(sent[0]?.body).toBe(WIRE);
  });

  test('no secret: no X-Signature', async () => {
    const { sender, sent } = senderWith(null);
    await sender.send(HOOK, WIRE, 7);
    expect(sent[0]?.headers.map(([name]) => name)).toEqual(['User-Agent', 'Content-Type', 'X-Tenant']);
  });
});

describe('profiles', () => {
  test('the user agent is that of the rules, and no static header comes beside one of ours', async () => {
    const { sender, sent } = senderWith(null, PROFILES.classic);
    await sender.send(
      {
        ...HOOK,
        headers: [
          ['user-agent', 'mine'],
          ['X-Tenant', 'acme'],
        ],
      },
      WIRE,
      7,
    );
    expect(sent[0]?.headers).toEqual([
      ['User-Agent', 'Segment.io/1.0'],
      ['Content-Type', 'application/json'],
      ['X-Tenant', 'acme'],
    ]);
    expect(sent[0]?.limitMs).toBe(3_000);
  });

  test('Standard Webhooks: id and seconds stand in headers and are signed with the body', async () => {
    const secret = `whsec_${Buffer.from('key of this test').toString('base64')}`;
    const { sender, sent } = senderWith(secret, PROFILES['standard-webhooks']);
    await sender.send(HOOK, WIRE, 7);
    const seconds = Math.floor(SIM_START / 1000);
    const digest = createHmac('sha256', 'key of this test').update(`msg_7.${seconds}.`).update(WIRE).digest('base64');
    expect(sent[0]?.headers.slice(2)).toEqual([
      ['webhook-id', 'msg_7'],
      ['webhook-timestamp', String(seconds)],
      ['webhook-signature', `v1,${digest}`],
      ['X-Tenant', 'acme'],
    ]);
  });

  test('only rules that follow redirects allow any', async () => {
    const plain = senderWith(null);
    await plain.sender.send(HOOK, WIRE, 7);
    expect(plain.sent[0]).not.toHaveProperty('maxRedirects');
    const actions = senderWith(null, PROFILES.actions);
    await actions.sender.send(HOOK, WIRE, 7);
    expect(actions.sent[0]?.maxRedirects).toBe(20);
  });
});
