/** The ports of the shells, for an engine in the benchmark's own process. */
import { readFileSync } from 'node:fs';
import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { systemIds } from '../src/core/adapters/ids.ts';
import { createSystemRandom } from '../src/core/adapters/random.ts';
import { createHttpTransport } from '../src/core/delivery/transport/http-transport.ts';
import type { EnginePorts } from '../src/core/engine/engine-ports.ts';
import type { Sealer } from '../src/core/ports.ts';
import { openStores } from '../src/core/store/stores.ts';
import { quietLogger } from './people-store.ts';

export const realPorts = (sealer: Sealer): EnginePorts => ({
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
});
