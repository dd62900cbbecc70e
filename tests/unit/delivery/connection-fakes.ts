/** What stands for the dial and for TLS under a connection: each is kept, and ends when a test says so. */
import type { Dialled, DialTarget } from '../../../src/core/delivery/transport/dial.ts';
import type { Secured } from '../../../src/core/delivery/transport/secure.ts';

interface Dial {
  readonly target: DialTarget;
  readonly context: unknown;
  readonly done: Dialled;
  cancelled: boolean;
}

interface Handshake {
  readonly raw: unknown;
  readonly hostname: string;
  readonly trust: unknown;
  readonly done: Secured;
  cancelled: boolean;
}

export const dials: Dial[] = [];
export const secures: Handshake[] = [];

export function dial(target: DialTarget, context: unknown, _phases: unknown, done: Dialled) {
  const made = { target, context, done, cancelled: false };
  dials.push(made);
  return { cancel: () => void Object.assign(made, { cancelled: true }) };
}

export function secure(raw: unknown, hostname: string, trust: unknown, _phases: unknown, done: Secured) {
  const made = { raw, hostname, trust, done, cancelled: false };
  secures.push(made);
  return { cancel: () => void Object.assign(made, { cancelled: true }) };
}
