/** An engine in the benchmark's own process, with the search index in its thread and no webhook. */
import { readFileSync } from 'node:fs';
import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { systemIds } from '../src/core/adapters/ids.ts';
import { createSystemRandom } from '../src/core/adapters/random.ts';
import { createHttpTransport } from '../src/core/delivery/transport/http-transport.ts';
import { Engine } from '../src/core/engine/engine.ts';
import type { Sealer } from '../src/core/ports.ts';
import { openStores } from '../src/core/store/stores.ts';
import { quietLogger } from './people-store.ts';

const PLENTY = 1_000_000_000_000;

export async function startSearchEngine(folder: string, sealer: Sealer): Promise<{ engine: Engine; port: number }> {
  const engine = new Engine(
    {
      workspace: folder,
      version: 'bench',
      shell: 'headless',
      ingestPort: 0,
      controlSocket: false,
      searchWorker: new URL('../src/core/search/search-worker.ts', import.meta.url),
      config: {
        sources: [{ name: 'bench', writeKey: 'bench', kind: 'server', enabled: true, webhooks: true }],
        storage: { maxMessages: 100_000_000, maxBytes: PLENTY },
      },
    },
    {
      clock: systemClock,
      timers: systemTimers,
      random: createSystemRandom(),
      ids: systemIds,
      logger: quietLogger,
      sealer,
      transport: ({ ownPorts, authorities }) =>
        createHttpTransport({ clock: systemClock, timers: systemTimers, ownPorts, ca: authorities }),
      readFile: readFileSync,
      openStore: openStores,
    },
  );
  const info = await engine.start();
  return { engine, port: info.listener.port };
}
