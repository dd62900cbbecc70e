/** The thread of people: a read-only handle on the store, everyone in memory. It serves until it is told to stop. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock, systemTimers } from '../adapters/clock.ts';
import { openUserCalls } from '../store/user-calls.ts';
import type { ToPeople } from './messages.ts';
import { PeopleHost } from './people-host.ts';

const parent = parentPort!;
const { workspace } = workerData as { readonly workspace: string };

const host = new PeopleHost({
  store: openUserCalls(workspace),
  clock: systemClock,
  timers: systemTimers,
  say: (message) => parent.postMessage(message),
});
parent.on('message', (message: ToPeople | { readonly type: 'stop' }) => {
  if (message.type !== 'stop') return host.receive(message);
  host.stop();
  parent.close();
});
host.start();
