/** The https listener of ingest: a certificate of the workspace's own authority, same handler, same limits. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { createSealer } from '../../src/core/adapters/sealer.ts';
import { HttpsIngest, type HttpsParts } from '../../src/core/ingest/https.ts';
import { createLocalAuthority } from '../../src/core/local-authority/authority.ts';
import type { KeyedCertificate } from '../../src/core/local-authority/make.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { basic, KEY, makeWorld, type World } from '../helpers/ingest-parts.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const DAY_MS = 86_400_000;

interface Asked {
  readonly host?: string;
  readonly ca?: string;
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
  readonly key?: string;
}

/** One request over https; rejects when the certificate is not accepted. */
function ask(port: number, asked: Asked): Promise<{ status: number; body: string; certificate: X509Certificate }> {
  const { host = 'localhost', ca, path = '/v1/track', method = 'POST', body = '', key = WRITE_KEY } = asked;
  return new Promise((resolve, reject) => {
    const headers = { Authorization: basic(key), 'Content-Length': Buffer.byteLength(body) };
    const outgoing = request({ host, port, path, method, ca, headers, agent: false }, (answer) => {
      // The session is gone with the connection.
      const certificate = new X509Certificate((answer.socket as import('node:tls').TLSSocket).getPeerCertificate().raw);
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString(), certificate }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const call = (event: string) => JSON.stringify({ userId: 'u', event, messageId: `m-${event}` });

async function turnOn(engine: RunningEngine): Promise<{ port: number; ca: string }> {
  const { state, port } = await engine.client.call('ingest.https', { enabled: true, port: 0 });
  expect(state).toBe('listening');
  return { port, ca: (await engine.client.call('ingest.authority')).pem };
}

describe('with the engine', () => {
  test('it is off until it is turned on, and makes nothing before', async () => {
    const engine = await startEngine();
    expect((await engine.client.call('app.status')).https).toEqual({
      ...{ state: 'stopped', port: 8768, message: null, holder: null, enabled: false },
      ...{ authority: null, refused: null },
    });
    expect(() => statSync(join(engine.workspace, 'authority.pem'))).toThrow('ENOENT');
  });

  test('calls over it are stored and delivered, on every name of this machine', async () => {
    const hook = await startReceiver();
    onTestFinished(() => hook.close());
    const engine = await startEngine({ config: configOf([hook.url]) });
    const { port, ca } = await turnOn(engine);
    for (const [at, host] of ['localhost', '127.0.0.1', '::1'].entries()) {
      const answer = await ask(port, { host, ca, body: call(`Over ${at}`) });
      expect([answer.status, answer.body]).toEqual([200, '{"success":true}']);
      expect((await engine.final(`m-Over ${at}`)).state).toBe('delivered');
    }
    expect(hook.requests).toHaveLength(3);
  });

  test('a client that does not trust the authority sends nothing', async () => {
    const engine = await startEngine();
    const { port } = await turnOn(engine);
    await expect(ask(port, { body: call('Never') })).rejects.toMatchObject({ code: /SELF_SIGNED|UNABLE_TO/ });
    expect((await engine.client.call('app.status')).requestsSeen).toBe(0);
  });

  test('settings asked for over it name it, and those over http name http', async () => {
    const engine = await startEngine();
    const { port, ca } = await turnOn(engine);
    const path = `/v1/projects/${WRITE_KEY}/settings`;
    const secure = JSON.parse((await ask(port, { ca, method: 'GET', path })).body);
    expect(secure.integrations['Segment.io']).toMatchObject({ apiHost: `localhost:${port}/v1`, protocol: 'https' });
    const plain = (await (await fetch(`${engine.ingest}${path}`)).json()) as typeof secure;
    expect(plain.integrations['Segment.io']).toMatchObject({
      apiHost: `localhost:${engine.port}/v1`,
      protocol: 'http',
    });
  });

  test('the limits are those of http', async () => {
    const engine = await startEngine();
    const { port, ca } = await turnOn(engine);
    const long = await ask(port, { ca, body: 'x'.repeat(600_000) });
    expect([long.status, JSON.parse(long.body).code]).toEqual([400, 'batch_too_large']);
    expect((await ask(port, { ca, body: '{' })).status).toBe(400);
    expect((await ask(port, { ca, path: '/nowhere' })).status).toBe(404);
  });

  test('the setting holds over a restart, and so does the authority', async () => {
    const workspace = tempWorkspace();
    const key = Buffer.alloc(32, 7);
    const first = await startEngine({ workspace, key });
    const { ca } = await turnOn(first);
    await first.stop();
    const second = await startEngine({ workspace, key });
    const { https } = await second.until(async () => {
      const status = await second.client.call('app.status');
      return status.https.state === 'listening' ? status : undefined;
    });
    expect((await ask(https.port, { ca, body: call('Again') })).status).toBe(200);
    expect(https.authority?.fingerprint256).toBe(new X509Certificate(ca).fingerprint256);
    expect((await second.client.call('ingest.https', { enabled: false })).state).toBe('stopped');
    await expect(ask(https.port, { ca })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await second.stop();
    expect((await (await startEngine({ workspace, key })).client.call('app.status')).https.enabled).toBe(false);
  });

  test('a config file turns it on', async () => {
    const engine = await startEngine({ config: { ...configOf([]), ingest: { https: { enabled: true, port: 0 } } } });
    const status = await engine.until(async () => {
      const { https } = await engine.client.call('app.status');
      return https.state === 'listening' ? https : undefined;
    });
    expect(status.port).toBeGreaterThan(0);
  });

  test('a folder of the browser library is taken from a config file, and named when it is relative', async () => {
    const browserSdk = tempWorkspace();
    writeFileSync(join(browserSdk, 'standalone.js'), 'own copy');
    const engine = await startEngine({ config: { ...configOf([]), ingest: { browserSdk } } });
    const script = await fetch(`${engine.ingest}/analytics.js/v1/k/analytics.min.js`);
    expect(await script.text()).toContain('own copy');
    const relative = { ...configOf([]), ingest: { browserSdk: 'node_modules/x' } };
    await expect(startEngine({ config: relative })).rejects.toMatchObject({ path: 'ingest.browserSdk' });
  });

  test('a taken port is a state that names the program, and another port can be had at once', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void squatter.close());
    const { port } = squatter.address() as { port: number };
    const engine = await startEngine();
    const taken = await engine.client.call('ingest.https', { enabled: true, port });
    expect(taken).toMatchObject({ state: 'port_in_use', port, enabled: true });
    expect(taken.message).toContain(`Port ${port} is in use`);
    expect((await engine.client.call('app.status')).listener.state).toBe('listening');
    expect((await engine.client.call('ingest.https', { port: 0 })).state).toBe('listening');
  });

  test('no webhook may lead to it', async () => {
    const engine = await startEngine();
    const { port } = await turnOn(engine);
    const webhook = { name: 'loop', url: `https://localhost:${port}/v1/track`, headers: [], enabled: true };
    await expect(engine.client.call('webhooks.save', webhook)).rejects.toMatchObject({ code: 'loop_url' });
  });

  test('the key is sealed and both files are for this user alone', async () => {
    const engine = await startEngine();
    await turnOn(engine);
    const file = (name: string) => join(engine.workspace, name);
    for (const name of ['authority.pem', 'authority.key']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
    const sealed = readFileSync(file('authority.key')).toString('latin1');
    expect(sealed).not.toContain('PRIVATE KEY');
    expect(createSealer(engine.key).open(readFileSync(file('authority.key')))).toContain('PRIVATE KEY');
    expect(engine.texts.join('')).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(engine.log)).not.toContain('PRIVATE KEY');
  });

  test('plain http to the https port is reported', async () => {
    const engine = await startEngine();
    const { port } = await turnOn(engine);
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    const refused = await engine.until(async () => (await engine.client.call('app.status')).https.refused ?? undefined);
    expect(refused).toMatchObject({ count: 1, reason: 'plain_http' });
  });

  test('TLS to the http port is counted for the interface and logged once a minute', async () => {
    const engine = await startEngine();
    expect((await engine.client.call('app.status')).tlsHellos).toBeNull();
    for (let n = 0; n < 3; n += 1) {
      const client = connectTls({ host: '127.0.0.1', port: engine.port, rejectUnauthorized: false });
      await new Promise<void>((resolve) => client.once('error', () => resolve()));
    }
    const { tlsHellos } = await engine.client.call('app.status');
    expect(tlsHellos?.count).toBe(3);
    expect(Math.abs(tlsHellos!.lastAt - systemClock.wall())).toBeLessThan(60_000);
    expect(engine.log.filter(({ event }) => event === 'tls_on_http_port')).toHaveLength(1);
  });
});

describe('the certificate of the server', () => {
  const running: HttpsIngest[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
  });

  interface Simulated {
    readonly https: HttpsIngest;
    readonly time: SimTime;
    readonly world: World;
    readonly ca: string;
    readonly issued: KeyedCertificate[];
    failing: boolean;
  }

  async function startSimulated(): Promise<Simulated> {
    // In the past, so that what is made along the way is good today.
    const time = new SimTime(systemClock.wall() - 61 * DAY_MS);
    const world = makeWorld();
    const folder = tempWorkspace();
    const sealer = createSealer(Buffer.alloc(32, 1));
    const authority = createLocalAuthority({ folder, sealer, clock: time, logger: world.logger });
    const one: Simulated = {
      time,
      world,
      ca: (await authority.certificate()).pem,
      issued: [],
      failing: false,
      https: new HttpsIngest({
        handle: (incoming) => world.ingest.handle(incoming),
        clock: time,
        // What the listener itself waits for is real.
        timers: { ...systemTimers, after: (ms, run) => (ms < 60_000 ? systemTimers : time).after(ms, run) },
        logger: world.logger,
        issue: async () => {
          if (one.failing) throw new Error('no space left');
          const leaf = await authority.issue();
          one.issued.push(leaf);
          return leaf;
        },
        kept: { read: () => undefined, save: async () => {} },
        changed: () => {},
      } satisfies HttpsParts),
    };
    running.push(one.https);
    await one.https.open(0);
    return one;
  }

  const shown = async ({ https, ca }: Simulated) =>
    (await ask(https.port!, { ca, path: '/health', method: 'GET', key: KEY })).certificate;

  it('is good for 90 days and is renewed by itself, without closing the port', async () => {
    const one = await startSimulated();
    const first = await shown(one);
    const days = (Date.parse(first.validTo) - one.time.wall()) / DAY_MS;
    expect(Math.round(days)).toBe(90);
    expect(first.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    const port = one.https.port;
    await one.time.advance(59 * DAY_MS);
    expect(one.issued).toHaveLength(1);
    // Making a key takes turns of the real event loop.
    const renewed = new Promise<void>((resolve) => {
      const push = one.issued.push.bind(one.issued);
      one.issued.push = (...more) => {
        const length = push(...more);
        setImmediate(resolve);
        return length;
      };
    });
    await one.time.advance(2 * DAY_MS);
    await renewed;
    expect(one.https.port).toBe(port);
    const second = await shown(one);
    expect(second.fingerprint256).not.toBe(first.fingerprint256);
    expect(second.checkIssued(new X509Certificate(one.ca))).toBe(true);
  });

  it('that cannot be made leaves a state that says why', async () => {
    const one = await startSimulated();
    one.failing = true;
    expect(await one.https.change({ enabled: true })).toMatchObject({
      state: 'failed',
      message: 'No certificate could be made. no space left',
    });
    one.failing = false;
    expect((await one.https.change({})).state).toBe('listening');
  });
});
