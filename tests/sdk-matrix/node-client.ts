/**
 * One Node library, unmodified, in a process of its own: makes every kind of call that it has and ends when they
 * are sent. `node node-client.ts ID HOST WRITE_KEY`; ends with 1 and says why when the library reports a failure.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const AT = new Date('2026-03-04T05:06:07.089Z');

type Kind = 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias';

const CALLS: readonly (readonly [Kind, Record<string, unknown>])[] = [
  ['identify', { userId: 'u1', traits: { email: 'zoë@example.com' } }],
  ['track', { userId: 'u1', event: 'Order Done', properties: { total: 12.5 } }],
  ['page', { userId: 'u1', name: 'Home', category: 'Docs', properties: { url: 'https://example.com/' } }],
  ['screen', { userId: 'u1', name: 'Main', properties: { tab: 2 } }],
  ['group', { userId: 'u1', groupId: 'g1', traits: { name: 'ACME' } }],
  ['alias', { userId: 'u1', previousId: 'a1' }],
];

type Library = Record<string, (...values: unknown[]) => unknown>;

const callAll = (library: Library): void => {
  for (const [kind, call] of CALLS) library[kind]?.({ ...call, timestamp: AT });
};

/** The libraries of today: they say of each call whether it failed, and close when all is sent. */
async function segment(name: string, options: Record<string, unknown>): Promise<void> {
  const { Analytics } = require(name) as { Analytics: new (given: object) => Library };
  const library = new Analytics(options);
  const failures: unknown[] = [];
  library.on?.('error', (error: unknown) => failures.push(error));
  callAll(library);
  await library.closeAndFlush?.({ timeout: 10_000 });
  if (failures.length > 0) throw new Error(`The library failed: ${JSON.stringify(failures)}`);
}

/** Segment's old library and RudderStack's, which was made from it: a queue that is flushed. */
async function legacy(Library: new (key: string, options: object) => Library, options: object): Promise<void> {
  const library = new Library(writeKey, options);
  callAll(library);
  // The first call is on its way by itself; flush sends the others.
  await new Promise<void>((resolve, reject) => {
    library.flush?.((error: Error | null | undefined) => (error ? reject(error) : resolve()));
  });
}

const [id = '', host = '', writeKey = ''] = process.argv.slice(2);

const oauth = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const clientKey = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return { clientId: 'client-1', keyId: 'key-1', clientKey, authServer: host };
};

const clients: Readonly<Record<string, () => Promise<void>>> = {
  'segment-node-3': () => segment('@segment/analytics-node', { writeKey, host }),
  'segment-node-3-oauth': () => segment('@segment/analytics-node', { writeKey, host, oauthSettings: oauth() }),
  'segment-node-2': () => segment('analytics-node-2', { writeKey, host }),
  'segment-node-1': () => segment('analytics-node-1', { writeKey, host }),
  'legacy-node-6': () => legacy(require('analytics-node-legacy-6'), { host }),
  'legacy-node-3': () => legacy(require('analytics-node-legacy-3'), { host }),
  'rudder-node': () => legacy(require('@rudderstack/rudder-sdk-node'), { dataPlaneUrl: host }),
  'rudder-node-plain': () => legacy(require('@rudderstack/rudder-sdk-node'), { dataPlaneUrl: host, gzip: false }),
};

const run = clients[id];
if (run === undefined) throw new Error(`There is no client ${id}.`);
await run();
