/** The Node libraries that are installed, each run in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Bench, WRITE_KEY } from './bench.ts';
import { type Line, linesOf } from './table.ts';

export interface NodeClient {
  readonly client: string;
  /** Of the installed package. */
  readonly version: string;
  readonly id: string;
  readonly note?: string;
  readonly secure?: boolean;
}

const require = createRequire(import.meta.url);
const version = (name: string): string => (require(`${name}/package.json`) as { version: string }).version;

const SEGMENT = '@segment/analytics-node';
const LEGACY = 'analytics-node (legacy)';
const RUDDER = '@rudderstack/rudder-sdk-node';

export const nodeClients: readonly NodeClient[] = [
  { client: SEGMENT, version: version(SEGMENT), id: 'segment-node-3' },
  { client: SEGMENT, version: version(SEGMENT), id: 'segment-node-3-oauth', note: 'oauthSettings' },
  { client: SEGMENT, version: version(SEGMENT), id: 'segment-node-3', secure: true, note: 'NODE_EXTRA_CA_CERTS' },
  { client: SEGMENT, version: version('analytics-node-2'), id: 'segment-node-2' },
  { client: SEGMENT, version: version('analytics-node-1'), id: 'segment-node-1' },
  { client: LEGACY, version: version('analytics-node-legacy-6'), id: 'legacy-node-6' },
  { client: LEGACY, version: version('analytics-node-legacy-3'), id: 'legacy-node-3' },
  { client: RUDDER, version: version(RUDDER), id: 'rudder-node' },
  { client: RUDDER, version: version(RUDDER), id: 'rudder-node-plain', note: 'gzip: false' },
];

/** Runs one to its end. Rejects with what it printed when it fails or a call of it did not arrive. */
export async function runNodeClient(bench: Bench, client: NodeClient): Promise<Line[]> {
  const host = client.secure ? `https://localhost:${bench.httpsPort}` : `http://localhost:${bench.port}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'node-client.ts'), client.id, host, WRITE_KEY], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NO_PROXY: 'localhost,127.0.0.1',
      ...(client.secure ? { NODE_EXTRA_CA_CERTS: bench.authorityFile } : {}),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${client.id} ended with ${code}: ${said}`);
  return linesOf(bench, client.client, client.version, client.note === undefined ? [] : [client.note]);
}
