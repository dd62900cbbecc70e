/** The listeners of ingest as one server: which handler gets a request, and who is told of a listener's state. */
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemTimers } from '../../../src/core/adapters/clock.ts';
import { OpenPorts } from '../../../src/core/ingest/open-ports.ts';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import { IngestServer } from '../../../src/core/ingest/server.ts';
import { createSelfSigned } from '../../helpers/certificates.ts';
import { RawClient, send } from '../../helpers/ingest-http.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { takenPort } from '../../helpers/taken-port.ts';

function server() {
  const seen = {
    handled: [] as IngestRequest[],
    heads: [] as (string | undefined)[],
    isTaken: false,
    released: 0,
    hellos: 0,
    changes: [] as unknown[],
    log: [] as unknown[],
  };
  const openPorts = new OpenPorts(undefined);
  const one = new IngestServer({
    handler: {
      handle: async (request) => {
        seen.handled.push(request);
        return { status: 200, headers: [], body: 'ok' };
      },
      takesHead: ({ url, socket }) => {
        seen.heads.push(url);
        if (seen.isTaken) socket.destroy();
        return seen.isTaken;
      },
      release: () => {
        seen.released += 1;
      },
    },
    openPorts,
    port: 8765,
    https: {
      issue: async () => ({ ...(await createSelfSigned()), validTo: Number.MAX_SAFE_INTEGER }),
      kept: { read: () => undefined, save: async () => {} },
    },
    clock: new SimTime(),
    timers: systemTimers,
    logger: { log: (...line) => void seen.log.push(line) },
    onTlsHello: () => {
      seen.hellos += 1;
    },
    changed: () => void seen.changes.push([one?.listening.state, openPorts.http, openPorts.https]),
  });
  onTestFinished(() => one.close());
  return { one, seen, openPorts };
}

const isClosed = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });

describe('the http listener', () => {
  it('is stopped at its port until it is started', () => {
    const { one, openPorts } = server();
    expect([one.listening, openPorts.http]).toEqual([
      { state: 'stopped', port: 8765, message: null, holder: null },
      null,
    ]);
  });

  it('passes requests on to the handler, and tells where it listens', async () => {
    const { one, seen, openPorts } = server();
    const { port } = await one.listen(0);
    expect(port).toBeGreaterThan(0);
    expect([one.listening.state, openPorts.http]).toEqual(['listening', port]);
    expect(seen.changes).toEqual([['listening', port, null]]);
    expect(seen.log).toEqual([['info', 'ingest_listener', { state: 'listening', port }]]);
    const { status, body } = await send(port, { path: '/v1/x' });
    expect([status, String(body), seen.handled[0]?.target, seen.heads]).toEqual([200, 'ok', '/v1/x', ['/v1/x']]);
  });

  it('leaves a request alone once the handler has taken its head', async () => {
    const { one, seen } = server();
    const { port } = await one.listen(0);
    seen.isTaken = true;
    await expect(send(port, { path: '/v1/x' })).rejects.toThrow();
    expect([seen.heads, seen.handled]).toEqual([['/v1/x'], []]);
  });

  it('tells of a client that speaks TLS', async () => {
    const { one, seen } = server();
    const { port } = await one.listen(0);
    const client = new RawClient(port);
    await client.write(Uint8Array.from([0x16, 3, 1, 0, 1, 0]));
    await client.untilEnd();
    client.close();
    expect(seen.hellos).toBe(1);
  });

  it('moves to another port: the one before is closed', async () => {
    const { one } = server();
    const first = (await one.listen(0)).port;
    const second = (await one.listen(0)).port;
    expect(second === first || (await isClosed(first))).toBe(true);
    expect((await send(second, {})).status).toBe(200);
  });

  it('on a port that is taken is a state, and no port is open', async () => {
    const { one, seen, openPorts } = server();
    await one.listen(0);
    const port = await takenPort();
    expect(await one.listen(port)).toMatchObject({ state: 'port_in_use', port });
    expect([openPorts.http, one.listening.state, seen.changes.length]).toEqual([null, 'port_in_use', 2]);
    expect(seen.log.at(-1)).toEqual(['info', 'ingest_listener', { state: 'port_in_use', port }]);
  });
});

it('the https listener tells its port as it opens and closes, beside that of http', async () => {
  const { one, seen, openPorts } = server();
  const { port } = await one.https.open(0);
  expect([openPorts.http, openPorts.https, seen.changes]).toEqual([null, port, [['stopped', null, port]]]);
  await one.https.change({ enabled: false });
  expect([openPorts.https, seen.changes.at(-1)]).toEqual([null, ['stopped', null, null]]);
});

it('a close lets go of what is held back, and closes both ports', async () => {
  const { one, seen } = server();
  const { port } = await one.listen(0);
  const https = await one.https.open(0);
  await one.close();
  expect([seen.released, await isClosed(port), await isClosed(https.port)]).toEqual([1, true, true]);
});
