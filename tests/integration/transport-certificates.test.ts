import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import { badCertificates, failingHandshakes } from '../helpers/bad-servers.ts';
import { createAuthority, createSelfSigned, issueCertificate, type TestAuthority } from '../helpers/certificates.ts';
import { answering, type RawReceiver, type RawReceiverOptions, startRawReceiver } from '../helpers/raw-receiver.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let root: TestAuthority;
let stranger: TestAuthority;
beforeAll(async () => {
  root = await createAuthority();
  stranger = await createAuthority('Somebody Else');
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function tlsReceiver(tls: TlsOptions, options: RawReceiverOptions = {}): Promise<RawReceiver> {
  const receiver = await startRawReceiver(answering(OK), { ...options, tls });
  closing.push(() => receiver.close());
  return receiver;
}

async function post(url: string, ca: readonly string[]): Promise<AttemptResult> {
  const transport = createHttpTransport({ clock: systemClock, timers: systemTimers, ca: () => ca });
  closing.push(() => transport.close());
  return transport.send({
    url,
    headers: [['X-Secret', 'never to a stranger']],
    body: Buffer.from('{}'),
    limitMs: 5000,
  });
}

describe('a server that is refused', () => {
  it.each(badCertificates)('$name: named, shown, and 0 application bytes reach it', async ({ certificate, reason }) => {
    const receiver = await tlsReceiver(await certificate({ root, stranger }));

    const result = await post(receiver.url, [root.cert]);
    await receiver.allClosed();

    expect(result).toMatchObject({ outcome: 'refused_certificate', reason, status: null, requestHeaders: [] });
    expect(result.certificate).toMatchObject({ subject: 'CN=localhost' });
    expect(receiver.receivedBytes).toBe(0);
  });

  it('a self-signed certificate is refused even when it is in the trust list', async () => {
    const certificate = await createSelfSigned();
    const receiver = await tlsReceiver(certificate);

    const result = await post(receiver.url, [certificate.cert]);
    await receiver.allClosed();

    expect(result).toMatchObject({ outcome: 'refused_certificate', reason: 'self_signed' });
    expect(result.detail).toContain('trust list');
    expect(receiver.receivedBytes).toBe(0);
  });

  it('an address that the certificate does not name is a wrong host', async () => {
    const receiver = await tlsReceiver(await issueCertificate(root, { ips: [] }));

    const result = await post(`https://127.0.0.1:${receiver.port}/`, [root.cert]);
    await receiver.allClosed();

    expect(result).toMatchObject({ outcome: 'refused_certificate', reason: 'wrong_host' });
    expect(receiver.receivedBytes).toBe(0);
  });

  it.each(failingHandshakes)('$name is a failed TLS connection', async ({ tls }) => {
    const receiver = await tlsReceiver({ ...(await issueCertificate(root)), ...tls });

    const result = await post(receiver.url, [root.cert]);
    await receiver.allClosed();

    expect(result).toMatchObject({ outcome: 'no_connection', reason: 'tls_failed', requestHeaders: [] });
    expect(receiver.receivedBytes).toBe(0);
  });

  it('plain HTTP on the TLS port is a failed TLS connection', async () => {
    const receiver = await startRawReceiver(({ socket }) => {
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    closing.push(() => receiver.close());

    const result = await post(`https://localhost:${receiver.port}/`, [root.cert]);

    expect(result).toMatchObject({ outcome: 'no_connection', reason: 'tls_failed', requestHeaders: [] });
    expect(result.detail).toContain('WRONG_VERSION_NUMBER');
  });
});

describe('a server that is trusted', () => {
  it('gets the request when its authority is in `ca`, and its certificate and TLS time are recorded', async () => {
    const receiver = await tlsReceiver(await issueCertificate(root));

    const result = await post(receiver.url, [root.cert]);

    expect(result).toMatchObject({ outcome: 'accepted', status: 200 });
    expect(result.certificate).toMatchObject({
      subject: 'CN=localhost',
      issuer: 'CN=Hookbench Test Root',
      names: expect.stringContaining('DNS:localhost'),
      fingerprint256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });
    expect(new Date(result.certificate?.validTo ?? '').toISOString()).toBe(result.certificate?.validTo);
    expect(result.phases.tlsMs).toBeGreaterThan(0);
    expect(result.phases.certificateMs).toBeGreaterThan(0);
  });

  it('is reached by its address when the certificate names that', async () => {
    const receiver = await tlsReceiver(await issueCertificate(root, { names: [] }));
    expect(await post(`https://127.0.0.1:${receiver.port}/`, [root.cert])).toMatchObject({ outcome: 'accepted' });
  });

  it('shows its certificate again on a kept connection, without TLS time', async () => {
    const receiver = await tlsReceiver(await issueCertificate(root));
    const transport = createHttpTransport({ clock: systemClock, timers: systemTimers, ca: () => [root.cert] });
    closing.push(() => transport.close());
    const send = (): Promise<AttemptResult> =>
      transport.send({ url: receiver.url, headers: [], body: Buffer.from('{}'), limitMs: 5000 });

    const first = await send();
    const second = await send();

    expect(second.certificate).toEqual(first.certificate);
    expect(second.phases).toMatchObject({ dnsMs: null, tcpMs: null, tlsMs: null, certificateMs: null });
    expect(receiver.connections).toBe(1);
  });
});

describe('the environment', () => {
  async function postUnder(env: Record<string, string>, url: string, ca: readonly string[]): Promise<unknown> {
    const script = new URL('./transport-env-child.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [script, url, ...ca], {
      env: { PATH: process.env.PATH, ...env },
    });
    return JSON.parse(stdout);
  }

  it('cannot turn verification off: NODE_TLS_REJECT_UNAUTHORIZED=0 sends 0 bytes to a self-signed server', async () => {
    const receiver = await tlsReceiver(await createSelfSigned());

    const result = await postUnder({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, receiver.url, []);

    expect(result).toEqual({ outcome: 'refused_certificate', reason: 'self_signed' });
    expect(receiver.receivedBytes).toBe(0);
  });

  it('cannot add trust: NODE_EXTRA_CA_CERTS with the self-signed certificate sends 0 bytes', async () => {
    const certificate = await createSelfSigned();
    const folder = await mkdtemp(join(tmpdir(), 'hookbench-ca-'));
    closing.push(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'ca.pem'), certificate.cert);
    const receiver = await tlsReceiver(certificate);

    const result = await postUnder({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }, receiver.url, []);

    expect(result).toEqual({ outcome: 'refused_certificate', reason: 'self_signed' });
    expect(receiver.receivedBytes).toBe(0);
  });
});

describe('the `ca` option', () => {
  it('takes a text with several certificates', async () => {
    const receiver = await tlsReceiver(await issueCertificate(root));
    expect(await post(receiver.url, [`${stranger.cert}\n${root.cert}`])).toMatchObject({ outcome: 'accepted' });
  });

  it.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'trusts nobody by %j, and goes on',
    async (text) => {
      const receiver = await tlsReceiver(await issueCertificate(root));
      expect(await post(receiver.url, [text])).toMatchObject({ outcome: 'refused_certificate' });
      expect(receiver.receivedBytes).toBe(0);
    },
  );

  it('takes another list over at the next attempt', async () => {
    const receiver = await tlsReceiver(await issueCertificate(root));
    let ca: readonly string[] = [];
    const transport = createHttpTransport({ clock: systemClock, timers: systemTimers, ca: () => ca });
    closing.push(() => transport.close());
    const send = (): Promise<AttemptResult> =>
      transport.send({ url: receiver.url, headers: [], body: Buffer.from('{}'), limitMs: 5000 });
    expect(await send()).toMatchObject({ outcome: 'refused_certificate' });
    ca = [root.cert];
    expect(await send()).toMatchObject({ outcome: 'accepted' });
  });
});
