/** An engine in a process of its own, which can be killed: `node bench/audience-engine.ts WORKSPACE CONFIG_JSON`. */
import { readFileSync } from 'node:fs';
import { configSchema } from '../src/contract/config.ts';
import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { systemIds } from '../src/core/adapters/ids.ts';
import { createSystemRandom } from '../src/core/adapters/random.ts';
import { createSealer } from '../src/core/adapters/sealer.ts';
import { createHttpTransport } from '../src/core/delivery/transport/http-transport.ts';
import { Engine } from '../src/core/engine/engine.ts';
import { openStores } from '../src/core/store/stores.ts';

const [, , workspace = '', config = '{}'] = process.argv;

const engine = new Engine(
  { workspace, version: 'bench', shell: 'headless', config: configSchema.parse(JSON.parse(config)), ingestPort: 0 },
  {
    clock: systemClock,
    timers: systemTimers,
    random: createSystemRandom(),
    ids: systemIds,
    logger: { log: () => {} },
    sealer: createSealer(Buffer.alloc(32, 1)),
    transport: ({ ownPorts, authorities }) =>
      createHttpTransport({ clock: systemClock, timers: systemTimers, ownPorts, ca: authorities }),
    readFile: readFileSync,
    openStore: openStores,
  },
);
const { listener } = await engine.start();
console.log(JSON.stringify({ port: listener.port }));
