import { lookup as systemLookup } from 'node:dns/promises';
import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import type { Timer, Timers } from '../../ports.ts';
import { type Address, addressText, isLinkLocal, isLoopback } from './addresses.ts';
import { codeOf, detailOf, type Failure, failureOf, noConnection } from './failures.ts';
import type { PhaseRecorder } from './phases.ts';

/** Resolves with the addresses of a name, best first. Rejects with an error whose `code` says why. */
export type Lookup = (hostname: string) => Promise<readonly Address[]>;

/** When an address has not answered for this long, the next address is tried in parallel. */
const FALLBACK_MS = 200;
/** At most this many addresses of a name are tried. */
const MAX_ADDRESSES = 10;

export interface DialContext {
  readonly timers: Timers;
  readonly lookup: Lookup;
  /** Hookbench's own listening ports. */
  readonly ownPorts: () => readonly number[];
}

export interface DialTarget {
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Takes what arrives, in place of the socket's `data` event. The bytes are good during the call only. */
  readonly onBytes?: OnBytes | undefined;
}

type OnBytes = (bytes: Buffer) => void;

/** For what one read brings: an answer is seldom longer. */
const READ_BYTES = 16 * 1024;

/** Work under way that can be cancelled. Once cancelled, its callback is not called. */
export interface Cancellable {
  cancel(): void;
}

export type Dialled = (...result: [failure: Failure, socket: null] | [failure: null, socket: Socket]) => void;

/**
 * Finds the addresses of a name and connects to the first that answers, families in turn
 * (a dead IPv6 address costs {@link FALLBACK_MS}). Addresses are guarded after the
 * lookup, on what is really connected to: a name cannot lead back to Hookbench or to a link-local address.
 */
export function dial(target: DialTarget, context: DialContext, phases: PhaseRecorder, done: Dialled): Cancellable {
  let race: Cancellable | null = null;
  let over = false;
  const finish: Dialled = (...result) => {
    phases.leave();
    done(...result);
  };
  const run = (addresses: readonly Address[]): void => {
    const failure = guard(addresses, target.port, context.ownPorts());
    if (failure) {
      finish(failure, null);
      return;
    }
    phases.enter('tcp');
    race = raceAddresses(alternate(addresses).slice(0, MAX_ADDRESSES), target, context.timers, finish);
  };

  const known = knownAddresses(target.hostname);
  if (known) run(known);
  else {
    phases.enter('dns');
    context.lookup(target.hostname).then(
      (addresses) => {
        if (!over) run(addresses);
      },
      (error) => {
        if (!over) finish(failureOfLookup(error), null);
      },
    );
  }
  return {
    cancel() {
      over = true;
      race?.cancel();
    },
  };
}

/** Literal addresses, and `localhost` with its sub-domains, which mean this machine whatever a name server says. */
function knownAddresses(hostname: string): readonly Address[] | null {
  const family = isIP(hostname);
  if (family === 4 || family === 6) return [{ address: hostname, family }];
  if (!/(^|\.)localhost\.?$/i.test(hostname)) return null;
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
}

function guard(addresses: readonly Address[], port: number, ownPorts: readonly number[]): Failure | null {
  if (addresses.length === 0) return noConnection('dns_failed', 'The name has no address.');
  const own = ownPorts.includes(port) ? addresses.find(isLoopback) : undefined;
  if (own) return noConnection('connection_error', `loop: ${addressText(own, port)} is Hookbench itself`);
  const blocked = addresses.find(isLinkLocal);
  if (blocked) {
    return noConnection('connection_error', `blocked: ${addressText(blocked, port)} is a link-local address`);
  }
  return null;
}

/** Alternates the families, beginning with that of the first address (RFC 8305, section 4). */
function alternate(addresses: readonly Address[]): Address[] {
  const first = addresses[0]?.family;
  const same = addresses.filter(({ family }) => family === first);
  const other = addresses.filter(({ family }) => family !== first);
  return same
    .flatMap((address, index) => {
      const twin = other[index];
      return twin ? [address, twin] : [address];
    })
    .concat(other.slice(same.length));
}

/** Tries the addresses in order, the next as soon as one fails or is slow. The first connection wins. */
function raceAddresses(
  addresses: readonly Address[],
  { port, onBytes }: DialTarget,
  timers: Timers,
  done: Dialled,
): Cancellable {
  const running = new Set<Socket>();
  const errors: unknown[] = [];
  let next = 0;
  let nextTimer: Timer | null = null;

  const stop = (): void => {
    nextTimer?.cancel();
    for (const socket of running) socket.destroy();
    running.clear();
  };
  const tryNext = (): void => {
    nextTimer?.cancel();
    const index = next;
    const address = addresses[index];
    if (!address) {
      if (running.size === 0) done(failureOfAll(errors), null);
      return;
    }
    next += 1;
    const place = { host: address.address, port, family: address.family, noDelay: true };
    const socket = connect(onBytes ? { ...place, onread: reading(onBytes) } : place);
    running.add(socket);
    socket.once('connect', () => {
      if (!running.delete(socket)) return;
      socket.removeAllListeners('error');
      stop();
      done(null, socket);
    });
    socket.on('error', (error) => {
      if (!running.delete(socket)) return;
      errors[index] = error;
      tryNext();
    });
    if (next < addresses.length) nextTimer = timers.after(FALLBACK_MS, tryNext);
  };

  tryNext();
  return { cancel: stop };
}

/** One buffer for all that a socket reads: the socket makes none of its own for each read. */
function reading(onBytes: OnBytes): OnReadOpts {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  return {
    buffer,
    callback: (bytes) => {
      onBytes(buffer.subarray(0, bytes));
      return true;
    },
  };
}

/**
 * Prefers a refused connection, because it shows that a machine is there. Otherwise takes the first address's error.
 * The details name all.
 */
function failureOfAll(errors: readonly unknown[]): Failure {
  const telling = errors.find((error) => codeOf(error) === 'ECONNREFUSED') ?? errors[0];
  return { ...failureOf(telling), detail: errors.map(detailOf).join('; ') };
}

function failureOfLookup(error: unknown): Failure {
  const { reason, detail } = failureOf(error);
  return noConnection(reason === 'unreachable' ? reason : 'dns_failed', detail);
}

/**
 * The system's resolver, with one lookup per name at a time. It answers from a pool of four threads, so sixteen lookups
 * of one name at a dead name server would block every other lookup.
 */
export function createLookup(): Lookup {
  const asked = new Map<string, Promise<readonly Address[]>>();
  return (hostname) => {
    const running = asked.get(hostname);
    if (running) return running;
    const answer = systemLookup(hostname, { all: true, order: 'verbatim' }).then((found) =>
      found.map(({ address, family }): Address => ({ address, family: family === 6 ? 6 : 4 })),
    );
    asked.set(hostname, answer);
    const forget = (): boolean => asked.delete(hostname);
    answer.then(forget, forget);
    return answer;
  };
}
