/** The connection of the running test over a dial and sockets that are not real, and what its tests share. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { beforeEach, expect } from 'vitest';
import { Attempt } from '../../../src/core/delivery/transport/attempt.ts';
import { Connection, type ConnectionContext } from '../../../src/core/delivery/transport/connection.ts';
import type { AttemptResult, CertificateInfo } from '../../../src/core/model/attempt.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import * as fakes from './connection-fakes.ts';

/** A socket that takes what is written to it, and closes a moment after it was told to. */
export class FakeSocket extends EventEmitter {
  destroyed = false;
  closed = false;
  writableLength = 0;
  writableNeedDrain = false;
  localAddress = '127.0.0.1';
  localPort = 4_000;
  remotePort: number | undefined = 80;
  readonly wrote: string[] = [];
  write(part: Uint8Array): boolean {
    this.wrote.push(Buffer.from(part).toString('latin1'));
    return true;
  }
  destroy(): void {
    this.destroyed = true;
    queueMicrotask(() => {
      this.closed = true;
      this.emit('close');
    });
  }
}

export const TRUST = {} as SecureContext;
export const CERTIFICATE = { subject: 'CN=a' } as CertificateInfo;
export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** All of these are new for each test. */
export let time: SimTime;
export let told: string[];
export let context: ConnectionContext;
export let connection: Connection;

export function open(origin = 'http://a.test'): void {
  connection = new Connection(origin, context, {
    free: (freed) => void told.push(freed === connection ? 'free' : 'free another'),
    gone: (lost) => void told.push(lost === connection ? 'gone' : 'gone another'),
  });
}
beforeEach(() => {
  time = new SimTime();
  told = [];
  fakes.dials.length = 0;
  fakes.secures.length = 0;
  context = { timers: time, lookup: async () => [], ownPorts: () => [], trust: () => TRUST, keepAliveMs: 4_321 };
  open();
});

export function attempt(over: Partial<AttemptRequest> = {}): Attempt {
  const request = { url: 'http://a.test/', headers: [], body: Buffer.from('{}'), limitMs: 5_000, ...over };
  return new Attempt(request, time, time);
}
export function dialled(socket = new FakeSocket()): FakeSocket {
  fakes.dials.at(-1)!.done(null, socket as unknown as Socket);
  return socket;
}
/** An attempt whose request was written. */
export function carried(over: Partial<AttemptRequest> = {}, path = '/'): { made: Attempt; socket: FakeSocket } {
  const made = attempt(over);
  connection.carry(made, path);
  return { made, socket: dialled() };
}
/** Bytes arrive over plain HTTP. */
export const arrives = (text: string): void => fakes.dials.at(-1)!.target.onBytes!(Buffer.from(text, 'latin1'));
/** The next attempt, over the connection that is free. */
export async function carriedNext(over: Partial<AttemptRequest> = {}): Promise<Attempt> {
  const made = attempt(over);
  connection.carry(made, '/next');
  await time.settle();
  return made;
}
/** The result, where it is there already. */
export async function resultOf(made: Attempt): Promise<AttemptResult> {
  expect(made.settled).toBe(true);
  return made.done;
}
