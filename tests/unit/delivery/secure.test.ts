/** The TLS handshake: how it is asked for, and what each of its endings means. The sockets are not real. */
import { X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { certificateInfo } from '../../../src/core/delivery/transport/certificate.ts';
import type { Failure } from '../../../src/core/delivery/transport/failures.ts';
import { PhaseRecorder } from '../../../src/core/delivery/transport/phases.ts';
import { secure } from '../../../src/core/delivery/transport/secure.ts';
import type { CertificateInfo } from '../../../src/core/model/attempt.ts';
import { createAuthority, createSelfSigned, issueCertificate } from '../../helpers/certificates.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const handshake = vi.hoisted(() => ({ options: null as unknown, socket: null as unknown }));
vi.mock('node:tls', async (original) => ({
  ...(await original<object>()),
  connect: (options: unknown) => {
    handshake.options = options;
    return handshake.socket;
  },
}));

class FakeSocket extends EventEmitter {
  destroyed = false;
  authorized = true;
  authorizationError: Error | null = null;
  raw: Buffer | undefined;
  destroy(): void {
    this.destroyed = true;
  }
  getPeerCertificate(): { raw: Buffer | undefined } {
    return { raw: this.raw };
  }
}

const TRUST = {} as SecureContext;
let issued: X509Certificate;
let own: X509Certificate;
beforeAll(async () => {
  issued = new X509Certificate((await issueCertificate(await createAuthority())).cert);
  own = new X509Certificate((await createSelfSigned()).cert);
});

let time: SimTime;
let phases: PhaseRecorder;
let raw: FakeSocket;
let socket: FakeSocket;
let ended: Array<[Failure | null, unknown, CertificateInfo | null]>;
beforeEach(() => {
  time = new SimTime();
  phases = new PhaseRecorder(time);
  raw = new FakeSocket();
  socket = new FakeSocket();
  socket.raw = issued.raw;
  handshake.socket = socket;
  ended = [];
});
const start = (hostname = 'a.test') =>
  secure(raw as unknown as Socket, hostname, TRUST, phases, (...result) => void ended.push(result));
const coded = (code: string, more: object = {}): Error => Object.assign(new Error('in its words'), { code }, more);
const closedBoth = () => [raw.destroyed, socket.destroyed];

describe('the handshake', () => {
  test.each([
    ['a.test', 'a.test', 'a.test'],
    ['a.test.', 'a.test', 'a.test'],
    ['10.0.0.1', '10.0.0.1', undefined],
    ['::1', '::1', undefined],
  ])('with %s checks the certificate against %s, and names %s', (hostname, host, servername) => {
    start(hostname);
    expect(handshake.options).toEqual({
      socket: raw,
      host,
      ...(servername === undefined ? {} : { servername }),
      secureContext: TRUST,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
    });
    expect('servername' in (handshake.options as object)).toBe(servername !== undefined);
    expect(phases.open).toBe('tls');
  });

  test('that succeeds gives the socket, which nobody watches any more, and what certificate it showed', async () => {
    start();
    await time.advance(3);
    socket.emit('secure');
    expect(phases.open).toBe('certificate');
    await time.advance(2);
    socket.emit('secureConnect');
    expect(ended).toEqual([[null, socket, certificateInfo(issued)]]);
    expect([phases.open, phases.phases()]).toMatchObject([null, { tlsMs: 3, certificateMs: 2 }]);
    expect([closedBoth(), socket.listenerCount('close'), socket.listenerCount('error')]).toEqual([
      [false, false],
      0,
      0,
    ]);
    raw.emit('error', new Error('also there'));
    socket.emit('secureConnect');
    expect(ended).toHaveLength(1);
  });

  test('shows its certificate before Node looks at it', () => {
    const order: string[] = [];
    socket.on('secure', () => {
      order.push(phases.open ?? 'none');
    });
    start();
    socket.emit('secure');
    expect(order).toEqual(['certificate']);
  });
});

describe('a certificate is refused', () => {
  test('that is self-signed, though Node trusts it', () => {
    socket.raw = own.raw;
    start();
    socket.emit('secure');
    socket.emit('secureConnect');
    expect(ended).toEqual([
      [expect.objectContaining({ outcome: 'refused_certificate', reason: 'self_signed' }), null, certificateInfo(own)],
    ]);
    expect(closedBoth()).toEqual([true, true]);
  });

  test('that Node did not verify, though it says nothing of it', () => {
    socket.authorized = false;
    socket.authorizationError = coded('CERT_HAS_EXPIRED');
    start();
    socket.emit('secure');
    socket.emit('secureConnect');
    expect(ended[0]![0]).toMatchObject({ outcome: 'refused_certificate', reason: 'certificate_expired' });
  });

  test('that is not there', () => {
    socket.raw = undefined;
    start();
    socket.emit('secure');
    socket.emit('secureConnect');
    expect(ended).toEqual([
      [
        {
          outcome: 'refused_certificate',
          reason: 'certificate_invalid',
          detail: 'The server showed no certificate.',
        },
        null,
        null,
      ],
    ]);
  });

  test('that was shown only at the end, and is well, is not', () => {
    start();
    socket.emit('secureConnect');
    expect(ended).toEqual([[null, socket, null]]);
  });

  test('by Node after the handshake, for its reason', () => {
    start();
    socket.emit('secure');
    socket.emit('error', coded('ERR_TLS_CERT_ALTNAME_INVALID'));
    expect(ended).toEqual([
      [
        { outcome: 'refused_certificate', reason: 'wrong_host', detail: 'ERR_TLS_CERT_ALTNAME_INVALID: in its words' },
        null,
        certificateInfo(issued),
      ],
    ]);
    expect(closedBoth()).toEqual([true, true]);
  });
});

describe('a connection fails', () => {
  test.each([
    ['in the handshake, by TLS', false, coded('ERR_SSL_X'), 'tls_failed', 'ERR_SSL_X: in its words'],
    [
      'in the handshake, by a code of the system',
      false,
      coded('ECONNRESET', { syscall: 'read' }),
      'connection_reset',
      'ECONNRESET: in its words',
    ],
    ['in the handshake, closed', false, coded('ECONNRESET'), 'connection_closed', 'ECONNRESET: in its words'],
    [
      'in the handshake, by a protocol error',
      false,
      coded('EPROTO', { syscall: 'write' }),
      'tls_failed',
      'EPROTO: in its words',
    ],
    [
      'after it, by a code of the system',
      true,
      coded('ECONNRESET', { syscall: 'read' }),
      'connection_reset',
      'ECONNRESET: in its words',
    ],
    [
      'after it, by a protocol error',
      true,
      coded('EPROTO', { syscall: 'write' }),
      'tls_failed',
      'EPROTO: in its words',
    ],
    [
      'after it, by weak parameters',
      true,
      coded('ERR_TLS_DH_PARAM_SIZE'),
      'tls_failed',
      'ERR_TLS_DH_PARAM_SIZE: in its words',
    ],
  ])('%s', (_, isAfter, error, reason, detail) => {
    start();
    if (isAfter) socket.emit('secure');
    socket.emit('error', error);
    expect(ended).toEqual([
      [{ outcome: 'no_connection', reason, detail }, null, isAfter ? certificateInfo(issued) : null],
    ]);
    expect([closedBoth(), phases.open]).toEqual([[true, true], null]);
    expect(() => socket.emit('error', error)).not.toThrow();
    expect(() => raw.emit('error', error)).not.toThrow();
    socket.emit('close');
    expect(ended).toHaveLength(1);
  });

  test('without an error', () => {
    start();
    socket.emit('close');
    const detail = 'The connection was closed in the TLS handshake.';
    expect(ended).toEqual([[{ outcome: 'no_connection', reason: 'connection_closed', detail }, null, null]]);
  });
});

test('a cancel after the end closes both too, and nobody minds a late error', () => {
  const securing = start();
  socket.emit('secure');
  socket.emit('secureConnect');
  securing.cancel();
  expect([closedBoth(), ended.length]).toEqual([[true, true], 1]);
  expect(() => socket.emit('error', new Error('late'))).not.toThrow();
});

test('a cancel closes both, and nothing is told', () => {
  start().cancel();
  expect(closedBoth()).toEqual([true, true]);
  expect(() => socket.emit('error', new Error('late'))).not.toThrow();
  socket.emit('close');
  socket.emit('secureConnect');
  expect(ended).toEqual([]);
});
