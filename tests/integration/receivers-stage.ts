/** The server of receivers on real sockets, without the engine: what its tests share. */
import { expect, onTestFinished } from 'vitest';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import type { Timers } from '../../src/core/ports.ts';
import { makeSelfSigned } from '../../src/core/receivers/certificate.ts';
import type { Hit } from '../../src/core/receivers/hit-log.ts';
import type { Receiver, Response } from '../../src/core/receivers/program.ts';
import { ReceiverSet } from '../../src/core/receivers/receiver-set.ts';
import { ReceiversServer } from '../../src/core/receivers/server.ts';

export const BODY = Buffer.from('{"type":"track","event":"Order Completed"}');
const CHECK_OFF = { on: false, onMismatch: 'reject', secret: 'shared' } as const;

interface Running {
  readonly set: ReceiverSet;
  readonly server: ReceiversServer;
  readonly port: number;
  /** Hits whose answer has ended. */
  readonly ended: Hit[];
  /** Resolves once so many have. */
  untilEnded(count: number): Promise<void>;
  url(id: string): string;
}

/** One that answers every request like this, by default at `/r/x`. */
export const receiver = (response: Response, over: Partial<Receiver> = {}): Receiver => ({
  id: 'x',
  name: 'x',
  tls: false,
  steps: [{ response, times: 1, delayMs: 0 }],
  check: CHECK_OFF,
  ...over,
});

/** Listens over HTTP until the end of the test. */
export async function start(
  receivers: readonly Receiver[],
  timers: Timers = systemTimers,
  catchUp: (set: ReceiverSet) => void = () => {},
): Promise<Running> {
  const set = new ReceiverSet(systemClock);
  set.configure(receivers);
  const ended: Hit[] = [];
  const waiting = new Set<() => void>();
  const server = new ReceiversServer({
    set,
    clock: systemClock,
    timers,
    certificate: () => makeSelfSigned(Date.now()),
    catchUp: () => catchUp(set),
    changed: () => {},
    ended: (hit) => {
      ended.push(hit);
      for (const check of waiting) check();
    },
  });
  onTestFinished(() => server.stop());
  const { state, port } = await server.listen('http', 0);
  expect(state).toBe('listening');
  return {
    set,
    server,
    port,
    ended,
    untilEnded: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (ended.length >= count) resolve();
        };
        waiting.add(check);
        check();
      }),
    url: (id) => `http://localhost:${port}/r/${id}`,
  };
}
