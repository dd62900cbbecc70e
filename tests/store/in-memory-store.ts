/** The store in plain TypeScript, opened for the conformance suite. */
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { memoryStore } from '../helpers/memory-store/memory-store.ts';
import type { Tables } from '../helpers/memory-store/tables.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import type { Arrange, StoreUnderTest } from './store-under-test.ts';
import { TurningSealer } from './turning-sealer.ts';

export function openMemory(): StoreUnderTest {
  const commits: Changes[] = [];
  const sealer = new TurningSealer();
  const committed = (changes: Changes): void => void commits.push(changes);
  const { tables, ...store } = memoryStore({ timers: new SimTime(), sealer, committed });
  return { ...store, arrange: arrangeIn(tables), commits, sealer };
}

function arrangeIn(tables: Tables): Arrange {
  return {
    request: (request) => tables.requests.set(request.id, { ...request, fingerprint: null }),
    message: (message, wire = null) => {
      tables.messages.set(message.id, message);
      if (wire !== null) tables.bodies.set(message.id, { wire, isSound: true });
    },
    attempt: (attempt, responseBody = null) => tables.attempts.set(attempt.id, { ...attempt, responseBody }),
    replay: (replay) => tables.replays.set(replay.id, replay),
    lineUp: (lineUp) => tables.lineUps.set(lineUp.afterAttempt, lineUp),
    clear: () => {
      for (const table of [tables.messages, tables.bodies, tables.attempts, tables.replays, tables.lineUps])
        for (const [key] of table.entries()) table.delete(key);
    },
  };
}
