/** Takes a socket over from Node's HTTP server, to send what HTTP does not allow. */
import type { ServerResponse } from 'node:http';
import type { Timer, Timers } from '../ports.ts';

export interface Wire {
  /** Calls back once the bytes are out. */
  write(bytes: string | Uint8Array, then?: () => void): void;
  /** Runs `act` later, unless the connection has ended by then. */
  later(delayMs: number, act: () => void): void;
  /** Writes the last bytes and ends the connection in order. */
  end(bytes?: string): void;
  /** Ends the connection with a reset. */
  reset(): void;
}

export interface Ended {
  /** True when the other side left before the answer was whole. */
  readonly gone: boolean;
}

/** Runs `act` on the socket of a response; resolves when the connection has closed. */
export function takeOver(response: ServerResponse, timers: Timers, act: (wire: Wire) => void): Promise<Ended> {
  const { socket } = response;
  if (socket === null || socket.destroyed) {
    // Another answer is still under way on the connection, and a fault cannot wait for it.
    response.req.socket.destroy();
    return Promise.resolve({ gone: true });
  }
  const waiting = new Set<Timer>();
  let endedByUs = false;
  const wire: Wire = {
    write: (bytes, then) => {
      if (socket.destroyed) return;
      if (typeof bytes === 'string') socket.write(bytes, 'latin1', (error) => !error && then?.());
      else socket.write(bytes, (error) => !error && then?.());
    },
    later: (delayMs, run) => {
      const timer = timers.after(delayMs, () => {
        waiting.delete(timer);
        run();
      });
      waiting.add(timer);
    },
    end: (bytes = '') => {
      endedByUs = true;
      if (bytes !== '') socket.write(bytes, 'latin1');
      socket.destroySoon();
    },
    reset: () => {
      endedByUs = true;
      try {
        socket.resetAndDestroy();
      } catch {
        // A TLS socket cannot be reset.
        socket.destroy();
      }
    },
  };
  return new Promise((resolve) => {
    socket.once('close', () => {
      for (const timer of waiting) timer.cancel();
      resolve({ gone: !endedByUs });
    });
    act(wire);
  });
}
