/** Ingest faults for the fake engine: the real rules, which no request meets. */
import type { FaultsView } from '../../src/contract/faults.ts';
import { Faults } from '../../src/core/faults/faults.ts';
import { createFaultHandlers } from '../../src/core/faults/handlers.ts';
import { SimTime, seededRandom } from './sim-ports.ts';

export function createFakeFaults(changed: (view: FaultsView) => void, start: number) {
  const time = new SimTime(start);
  const faults: Faults = new Faults({
    handle: async () => ({ status: 200, headers: [], body: '{"success":true}' }),
    clock: time,
    timers: time,
    random: seededRandom(1),
    stored: undefined,
    save: async () => {},
    rowsOf: () => 0,
    changed: () => changed(faults.view()),
  });
  return { handlers: createFaultHandlers(faults), view: () => faults.view() };
}
