/** The store in plain TypeScript, opened for the conformance suite. */
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { memoryPorts } from '../helpers/memory-store/memory-store.ts';
import { Tables } from '../helpers/memory-store/tables.ts';
import { MemoryUserCalls } from '../helpers/memory-store/user-calls.ts';
import { MemoryWriter } from '../helpers/memory-store/writer.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import type { Arrange, StoreUnderTest } from './store-under-test.ts';
import { TurningSealer } from './turning-sealer.ts';

export function openMemory(): StoreUnderTest {
  const commits: Changes[] = [];
  const sealer = new TurningSealer();
  const tables = new Tables();
  const events = { committed: (changes: Changes) => void commits.push(changes), writable: () => {} };
  const writer = new MemoryWriter(tables.journal, new SimTime(), events);
  const openUserCalls = () => new MemoryUserCalls(tables);
  return { ...memoryPorts(tables, writer, sealer), openUserCalls, arrange: arrangeIn(tables), commits, sealer };
}

function arrangeIn(tables: Tables): Arrange {
  const { messages, bodies, attempts, replays, lineUps, requests, journal } = tables;
  /** What is arranged stays, whatever a later transaction undoes. */
  const kept =
    <A extends unknown[]>(put: (...given: A) => unknown) =>
    (...given: A): void => {
      put(...given);
      journal.commit();
    };
  return {
    request: kept((request) => requests.set(request.id, { ...request, fingerprint: null })),
    message: kept((message, wire = null) => {
      messages.set(message.id, message);
      if (wire !== null) bodies.set(message.id, { wire, isSound: true });
    }),
    damageBody: kept((id) => bodies.update(id, { isSound: false })),
    attempt: kept((attempt, responseBody = null) => attempts.set(attempt.id, { ...attempt, responseBody })),
    replay: kept((replay, body = null) => replays.set(replay.id, { ...replay, body })),
    lineUp: kept((lineUp) => lineUps.set(lineUp.afterAttempt, lineUp)),
    clear: kept(() => {
      for (const table of [requests, messages, bodies, attempts, replays, lineUps])
        for (const [key] of table.entries()) table.delete(key);
    }),
  };
}
