/**
 * Serves the built renderer over the fake engine, to look at screens:
 * `node tools/with-node.mjs node tests/helpers/fake-engine-server.ts [--rows N] [--rate N] [--port N] [--hostile]
 * [--fresh] [--port-in-use] [--read-only] [--damaged] [--unreadable] [--root DIR]`. Any token will do. Loopback only.
 */
import { parseArgs } from 'node:util';
import type { MessageStateName } from '../../src/contract/values.ts';
import { createFakeEngine, type FakeEngine, type FakeOptions } from './fake-engine.ts';
import { type PageServer, type PageServerOptions, startPageServer } from './page-server.ts';

export interface FakeServer extends PageServer {
  readonly engine: FakeEngine;
}

export async function startFakeServer(options: FakeOptions & PageServerOptions = {}): Promise<FakeServer> {
  const engine = createFakeEngine(options);
  const server = await startPageServer((channel) => {
    const peer = engine.connect(channel);
    return () => engine.disconnect(peer);
  }, options);
  return { ...server, engine };
}

/** Adds `rate` new messages a second, and moves older ones on. */
function keepBusy(engine: FakeEngine, rate: number): void {
  const step = Math.max(100, 1000 / rate);
  setInterval(() => {
    for (const row of engine.receive(Math.max(1, Math.round((rate * step) / 1000)))) {
      const ends: MessageStateName[] = ['delivered', 'delivered', 'delivered', 'retrying', 'failed'];
      const state = ends[row.id % ends.length]!;
      setTimeout(() => engine.update(row.id, { state: 'delivering', cells: 'sssrp', round: 1 }), 60);
      setTimeout(
        () =>
          engine.update(row.id, {
            state,
            cells: state === 'delivered' ? 'aafrp' : 'ftfrp',
            nextDueAt: state === 'retrying' ? Date.now() + 3_600_000 : null,
          }),
        400,
      );
    }
  }, step);
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      rate: { type: 'string' },
      port: { type: 'string', default: '8890' },
      root: { type: 'string' },
      hostile: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      'port-in-use': { type: 'boolean', default: false },
      'read-only': { type: 'boolean', default: false },
      damaged: { type: 'boolean', default: false },
      unreadable: { type: 'boolean', default: false },
    },
  });
  const { url, engine } = await startFakeServer({
    rows: values.rows === undefined ? undefined : Number(values.rows),
    port: Number(values.port),
    root: values.root,
    hostile: values.hostile,
    fresh: values.fresh,
    storeWritable: !values['read-only'],
    storeDamaged: values.damaged,
    secret: values.unreadable ? { state: 'unreadable' } : undefined,
    listener: values['port-in-use'] ? { state: 'port_in_use', holder: 'node (process 48213)' } : undefined,
  });
  if (values.rate !== undefined) keepBusy(engine, Number(values.rate));
  console.log(url);
}
