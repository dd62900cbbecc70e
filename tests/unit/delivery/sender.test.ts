import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { NOT_SENT, Sender, type SenderSettings, toStored } from '../../../src/core/delivery/sender.ts';
import { type DeliveryRules, PROFILES } from '../../../src/core/model/rules.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import type { AttemptRequest, WireRequest } from '../../../src/core/ports.ts';
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
  more: Pick<SenderSettings, 'onWire'> = {},
): { sender: Sender; sent: AttemptRequest[] } {
  const sent: AttemptRequest[] = [];
  const transport = {
    send: async (request: AttemptRequest) => {
      sent.push(request);
      return { ...NOT_SENT, outcome: 'accepted' as const };
    },
    close: async () => {},
  };
  return { sender: new Sender(transport, new SimTime(), { secret: () => secret, rules: () => rules, ...more }), sent };
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
          ['CONTENT-TYPE', 'text/plain'],
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

  test('Standard Webhooks without a secret: id and seconds, and no signature', async () => {
    const { sender, sent } = senderWith(null, PROFILES['standard-webhooks']);
    await sender.send(HOOK, WIRE, 7);
    expect(sent[0]?.headers.map(([name]) => name).slice(2)).toEqual(['webhook-id', 'webhook-timestamp', 'X-Tenant']);
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

describe('its own headers', () => {
  const secret = `whsec_${Buffer.from('key of this test').toString('base64')}`;

  test.each([PROFILES.documented, PROFILES['standard-webhooks']])(
    'are those of a delivery without static headers',
    async (rules) => {
      const { sender, sent } = senderWith(secret, rules);
      await sender.send({ ...HOOK, headers: [] }, WIRE, 7);
      expect(sender.ownHeaders(WIRE, 7, true)).toEqual(sent[0]?.headers);
    },
  );

  test.each([
    [secret, false],
    [undefined, true],
  ])('have no signature when none is wanted or the secret cannot be read', (given, signed) => {
    expect(senderWith(given).sender.ownHeaders(WIRE, 7, signed)).toEqual(
      senderWith(null).sender.ownHeaders(WIRE, 7, true),
    );
  });
});

describe('what goes to the wire', () => {
  test('is told with its attempt, which none but a delivery has', async () => {
    const told: unknown[] = [];
    const onWire = (...all: unknown[]): void => void told.push(all);
    const { sender, sent } = senderWith(null, PROFILES.documented, { onWire });
    await sender.send(HOOK, WIRE, 7, { attempt: 5 });
    const request = {} as WireRequest;
    sent[0]?.onWire?.(request);
    expect(told).toEqual([[{ attempt: 5, message: 7, limitMs: PROFILES.documented.timeoutMs }, request]]);
    await sender.send(HOOK, WIRE, 7);
    expect(sent[1]).not.toHaveProperty('onWire');
  });

  test('is asked for by nobody where nobody listens', async () => {
    const { sender, sent } = senderWith(null);
    await sender.send(HOOK, WIRE, 7, { attempt: 5 });
    expect(sent[0]).not.toHaveProperty('onWire');
  });
});

describe('closing', () => {
  test('is done at once when nothing is on the wire', async () => {
    const { sender } = senderWith(null);
    await sender.close();
    await sender.send(HOOK, WIRE, 1);
    await sender.close();
  });

  test('what is on the wire ends first, and nothing more is sent, though its row was written', async () => {
    const ends: Array<() => void> = [];
    const transport = {
      send: () => new Promise<typeof NOT_SENT>((resolve) => ends.push(() => resolve({ ...NOT_SENT, status: 200 }))),
      close: async () => {},
    };
    const sender = new Sender(transport, new SimTime(), { secret: () => null, rules: () => PROFILES.documented });
    const open = [sender.send(HOOK, WIRE, 1), sender.send(HOOK, WIRE, 2)];
    expect(sender.open).toBe(2);
    let closed = false;
    const closing = sender.close().then(() => {
      closed = true;
    });
    expect(await sender.send(HOOK, WIRE, 3)).toBe(NOT_SENT);
    ends[0]!();
    await open[0];
    expect([ends.length, sender.open, closed]).toEqual([2, 1, false]);
    ends[1]!();
    expect(await open[1]).toMatchObject({ status: 200 });
    await closing;
    expect(sender.open).toBe(0);
  });
});

describe('what is stored', () => {
  test('of an attempt that was not sent: that it was interrupted, and nothing else', () => {
    const { responseBody, phases, ...rest } = NOT_SENT;
    expect([...responseBody]).toEqual([]);
    expect(new Set(Object.values(phases))).toEqual(new Set([null]));
    expect(rest).toEqual({
      outcome: 'interrupted',
      reason: null,
      detail: null,
      status: null,
      statusText: '',
      requestHeaders: [],
      responseHeaders: [],
      responseBytes: 0,
      responseCut: false,
      durationMs: 0,
      certificate: null,
    });
  });

  test('of one that was: the phases in order, to the thousandth, and no value of a static header', () => {
    const stored = toStored(
      {
        ...NOT_SENT,
        reason: 'answer_too_large',
        statusText: 'OK',
        requestHeaders: [
          ['User-Agent', 'Hookbench/1.0'],
          ['X-Tenant', 'acme'],
        ],
        responseHeaders: [['Date', 'now']],
        responseBytes: 9,
        responseCut: true,
        phases: {
          queueMs: 99,
          dnsMs: 1.00049,
          tcpMs: 2.0005,
          tlsMs: null,
          certificateMs: 0,
          sendMs: 5,
          waitMs: 6,
          readMs: 7,
        },
      },
      0.12349,
      HOOK.headers,
    );
    expect(stored).toMatchObject({
      reason: 'answer_too_large',
      statusText: 'OK',
      responseHeaders: [['Date', 'now']],
      responseBytes: 9,
      responseCut: true,
      phases: [0.123, 1, 2.001, null, 0, 5, 6, 7],
    });
    expect(stored.requestHeaders[0]).toEqual(['User-Agent', 'Hookbench/1.0']);
    expect(JSON.stringify(stored)).not.toContain('acme');
  });
});
