/** The https listener's own life: what it is set to, what it shows, when it asks for a new certificate. */
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemTimers } from '../../src/core/adapters/clock.ts';
import { DEFAULT_HTTPS, HttpsIngest, type HttpsSettings, refusalReason } from '../../src/core/ingest/https.ts';
import type { TlsIdentity } from '../../src/core/ingest/listener.ts';
import { createSelfSigned } from '../helpers/certificates.ts';
import { makeWorld } from '../helpers/ingest-parts.ts';
import { SimTime } from '../helpers/sim-ports.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let identities: readonly TlsIdentity[] = [];
beforeAll(async () => {
  identities = await Promise.all([createSelfSigned(), createSelfSigned()]);
});

function httpsWith(stored?: Partial<HttpsSettings>) {
  const world = makeWorld();
  const time = new SimTime();
  const seen = { issued: 0, changes: 0, saved: [] as HttpsSettings[] };
  const fails = { issue: false, save: false };
  const life = { days: 90, saving: Promise.resolve() };
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isGated = false;
  const gate = {
    get reached() {
      isGated = true;
      return reached.promise;
    },
    open: () => opened.resolve(),
  };
  const https = new HttpsIngest({
    handle: (request) => world.ingest.handle(request),
    clock: time,
    // What the listener itself waits for is real.
    timers: { ...systemTimers, after: (ms, run) => (ms < 60_000 ? systemTimers : time).after(ms, run) },
    logger: world.logger,
    issue: async () => {
      reached.resolve();
      if (isGated) await opened.promise;
      if (fails.issue) throw new Error('no space left');
      seen.issued += 1;
      return { ...identities[seen.issued % 2]!, validTo: time.wall() + life.days * DAY_MS };
    },
    kept: {
      read: () => stored,
      save: async (settings) => {
        await life.saving;
        if (fails.save) throw new Error('read only');
        seen.saved.push(settings);
      },
    },
    changed: () => {
      seen.changes += 1;
    },
  });
  onTestFinished(() => https.stop());
  return { https, world, time, seen, fails, life, gate };
}

const certificateOf = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
const isClosed = (port: number) => expect(certificateOf(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

const OFF = { state: 'stopped', port: 8768, message: null, holder: null, enabled: false, refused: null };

describe('what it shows', () => {
  it('is off at its usual port until it is turned on, and asks for no certificate', async () => {
    const { https, seen } = httpsWith();
    expect([DEFAULT_HTTPS, https.state, https.port]).toEqual([{ enabled: false, port: 8768 }, OFF, null]);
    expect(await https.open()).toEqual(OFF);
    expect(seen).toEqual({ issued: 0, changes: 1, saved: [] });
  });

  it('is what was stored, and where it listens once it does', async () => {
    const { https, seen, world } = httpsWith({ enabled: true, port: 0 });
    expect(https.state).toEqual({ ...OFF, port: 0, enabled: true });
    const opened = await https.open();
    expect(opened).toEqual({ ...OFF, state: 'listening', port: https.port, enabled: true });
    expect(https.port).toBeGreaterThan(0);
    expect(seen).toEqual({ issued: 1, changes: 1, saved: [] });
    expect(world.logged).toEqual([
      { level: 'info', event: 'ingest_https_listener', fields: { state: 'listening', port: https.port } },
    ]);
  });

  it('is on for this run with a port that was given for it, and nothing is kept of that', async () => {
    const { https, seen } = httpsWith({ enabled: false, port: 1 });
    expect(await https.open(0)).toMatchObject({ state: 'listening', enabled: true });
    expect(seen.saved).toEqual([]);
  });
});

describe('a change', () => {
  it('is kept and applies at once; omitted fields stay', async () => {
    const { https, seen } = httpsWith({ port: 0 });
    expect(await https.change({ enabled: true })).toMatchObject({ state: 'listening', enabled: true });
    const before = https.port!;
    expect(await https.change({ enabled: false })).toEqual({ ...OFF, port: 0 });
    await isClosed(before);
    expect(seen.saved).toEqual([
      { enabled: true, port: 0 },
      { enabled: false, port: 0 },
    ]);
    expect(seen.changes).toBe(2);
  });

  it('that cannot be kept is none', async () => {
    const { https, fails } = httpsWith({ port: 0 });
    fails.save = true;
    await expect(https.change({ enabled: true })).rejects.toThrow('read only');
    expect(https.state).toEqual({ ...OFF, port: 0 });
    fails.save = false;
    expect(await https.change({ enabled: true })).toMatchObject({ state: 'listening' });
  });

  it('that is only kept is shown while it does not listen, and waits while it does', async () => {
    const { https } = httpsWith({ port: 0 });
    await https.keep({ port: 4 });
    expect(https.state).toEqual({ ...OFF, port: 4 });
    await https.change({ enabled: true, port: 0 });
    const { port } = https;
    await https.keep({ port: 4 });
    expect(https.state).toMatchObject({ state: 'listening', port });
  });

  it('waits for the one before: the last of many at once holds', async () => {
    const { https } = httpsWith({ port: 0 });
    const all = [true, false, true, false, true].map((enabled) => https.change({ enabled }));
    expect((await Promise.all(all)).map(({ state }) => state)).toEqual([
      'listening',
      'stopped',
      'listening',
      'stopped',
      'listening',
    ]);
    expect(await certificateOf(https.port!)).toMatch(/^[0-9A-F:]{95}$/);
  });

  it('whose certificate cannot be made leaves a state that says why, and can be tried again', async () => {
    const { https, fails } = httpsWith({ port: 0 });
    fails.issue = true;
    expect(await https.change({ enabled: true })).toEqual({
      ...OFF,
      state: 'failed',
      port: 0,
      enabled: true,
      message: 'No certificate could be made. no space left',
    });
    expect(https.port).toBeNull();
    fails.issue = false;
    expect(await https.change({})).toMatchObject({ state: 'listening', message: null });
  });

  it('to a port that is taken leaves a state that says so', async () => {
    const [one, two] = [httpsWith({ port: 0 }), httpsWith({ port: 0 })];
    await one.https.change({ enabled: true });
    const port = one.https.port!;
    expect(await two.https.change({ enabled: true, port })).toMatchObject({
      state: 'port_in_use',
      port,
      enabled: true,
    });
    expect([two.https.port, two.time.pending]).toEqual([null, 0]);
  });
});

describe('its certificate', () => {
  it('is looked at every hour, and a new one is taken once 30 days are left, the port staying open', async () => {
    const { https, time, seen } = httpsWith({ enabled: true, port: 0 });
    await https.open();
    const [port, first] = [https.port!, await certificateOf(https.port!)];
    expect([time.pending, time.nextInMs]).toEqual([1, HOUR_MS]);
    await time.advance(60 * DAY_MS - HOUR_MS);
    expect([seen.issued, seen.changes, time.nextInMs]).toEqual([1, 1, HOUR_MS]);
    await time.advance(HOUR_MS);
    expect([seen.issued, seen.changes, https.port]).toEqual([2, 2, port]);
    expect(await certificateOf(port)).not.toBe(first);
    await time.advance(59 * DAY_MS);
    expect(seen.issued).toBe(2);
    await time.advance(DAY_MS);
    expect(seen.issued).toBe(3);
  });

  it('that cannot be renewed stays, is logged and asked for again in an hour', async () => {
    const { https, time, seen, fails, world, life } = httpsWith({ enabled: true, port: 0 });
    life.days = 20;
    await https.open();
    fails.issue = true;
    await time.advance(HOUR_MS);
    expect(world.logged.at(-1)).toEqual({
      level: 'error',
      event: 'certificate_not_renewed',
      fields: { message: 'no space left' },
    });
    expect([seen.issued, seen.changes]).toEqual([1, 1]);
    fails.issue = false;
    await time.advance(HOUR_MS);
    expect(seen.issued).toBe(2);
  });

  it('is not renewed where its turn comes after the listener has stopped', async () => {
    const { https, time, seen, life } = httpsWith({ enabled: true, port: 0 });
    life.days = 20;
    await https.open();
    const saving = Promise.withResolvers<void>();
    life.saving = saving.promise;
    const changing = https.change({ enabled: false });
    await time.advance(HOUR_MS);
    saving.resolve();
    await changing;
    await time.advance(0);
    expect([seen.issued, time.pending]).toEqual([1, 0]);
  });

  it('is not looked at while it does not listen', async () => {
    const { https, time, seen } = httpsWith({ port: 0 });
    await https.change({ enabled: true });
    await https.change({ enabled: false });
    expect(time.pending).toBe(0);
    await time.advance(100 * DAY_MS);
    expect(seen.issued).toBe(1);
  });
});

describe('its end', () => {
  it('closes the port, leaves no timer, and nothing opens it again', async () => {
    const { https, time, seen } = httpsWith({ enabled: true, port: 0 });
    await https.open();
    const port = https.port!;
    await https.stop();
    await isClosed(port);
    expect(time.pending).toBe(0);
    expect(await https.change({ enabled: true })).toMatchObject({ state: 'stopped' });
    expect(seen.issued).toBe(1);
  });

  it('is also that of a start which has not begun', async () => {
    const { https, time, seen } = httpsWith({ enabled: true, port: 0 });
    const opening = https.open();
    await https.stop();
    expect([(await opening).state, time.pending, seen.issued]).toEqual(['stopped', 0, 0]);
  });

  it('waits for a start that is under way, and leaves nothing of it', async () => {
    const { https, time, gate } = httpsWith({ enabled: true, port: 0 });
    const opening = https.open();
    await gate.reached;
    const stopping = https.stop();
    gate.open();
    const { port } = await opening;
    await stopping;
    await isClosed(port);
    expect(time.pending).toBe(0);
  });
});

describe('a connection that fails', () => {
  it('is counted with its reason and time, and told', async () => {
    const { https, time, seen } = httpsWith({ enabled: true, port: 0 });
    await https.open();
    for (const count of [1, 2]) {
      await time.advance(1_000);
      const plain = connect(https.port!, '127.0.0.1');
      plain.end('GET / HTTP/1.1\r\n\r\n');
      await new Promise((resolve) => plain.on('error', resolve).on('close', resolve).resume());
      await expect.poll(() => https.state.refused).toEqual({ count, lastAt: time.wall(), reason: 'plain_http' });
    }
    expect(seen.changes).toBe(3);
  });

  it('is not counted where the client just left', async () => {
    const { https } = httpsWith({ enabled: true, port: 0 });
    await https.open();
    for (const bytes of [null, 'GET / HTTP/1.1\r\n\r\n']) {
      const client = connect(https.port!, '127.0.0.1');
      if (bytes === null) client.once('connect', () => client.resetAndDestroy());
      else client.end(bytes);
      await new Promise((resolve) =>
        client
          .on('error', () => {})
          .on('close', resolve)
          .resume(),
      );
    }
    await expect.poll(() => https.state.refused).toMatchObject({ count: 1, reason: 'plain_http' });
  });

  it.each([
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'authority_not_trusted'],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN', 'authority_not_trusted'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'handshake_failed'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'authority_not_trusted'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'authority_not_trusted'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'authority_not_trusted'],
    ['ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE', 'authority_not_trusted'],
    ['ERR_SSL_HTTP_REQUEST', 'plain_http'],
    ['ERR_SSL_NO_SHARED_CIPHER', 'handshake_failed'],
    ['', 'handshake_failed'],
    ['ECONNRESET', null],
    ['ERR_TLS_HANDSHAKE_TIMEOUT', null],
  ])('with the code %j is %s', (code, reason) => expect(refusalReason(code)).toBe(reason));
});
