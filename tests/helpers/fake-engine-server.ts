/**
 * Serves the built renderer over the fake engine, to look at screens:
 * `node tools/with-node.mjs node tests/helpers/fake-engine-server.ts [--rows N] [--port N] [--hostile]`. Any token
 * will do. Loopback only.
 */
import { parseArgs } from 'node:util';
import { createFakeEngine, type FakeOptions } from './fake-engine.ts';
import { type PageServer, type PageServerOptions, startPageServer } from './page-server.ts';

export const startFakeServer = (options: FakeOptions & PageServerOptions = {}): Promise<PageServer> =>
  startPageServer(createFakeEngine(options).connect, options);

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '400' },
      port: { type: 'string', default: '8890' },
      hostile: { type: 'boolean', default: false },
    },
  });
  const { rows, port, hostile } = values;
  const { url } = await startFakeServer({ rows: Number(rows), port: Number(port), hostile });
  console.log(url);
}
