/** Listens on one port of both loopback addresses, because `localhost` can mean either. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findPortHolder } from '../ingest/port-holder.ts';

export interface ListenerState {
  readonly state: 'listening' | 'port_in_use' | 'failed';
  readonly port: number;
  readonly message: string | null;
  readonly holder: string | null;
}

export interface Bound {
  readonly state: ListenerState;
  /** Empty unless it listens. */
  readonly servers: readonly Server[];
}

const PORT_TRIES = 20;
/** The errors of a machine without IPv6 when asked to listen on ::1. */
const NO_IPV6: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT', 'EINVAL', 'ENODEV']);
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Port 0 takes any free port. Never rejects: a taken port is a state. */
export async function listenOnLoopback(make: () => Server, port: number): Promise<Bound> {
  for (let tries = 1; ; tries += 1) {
    const servers: Server[] = [];
    try {
      const taken = await listen(make, '127.0.0.1', port, servers);
      await listen(make, '::1', taken, servers).catch((error: unknown) => {
        if (!NO_IPV6.has(codeOf(error))) throw error;
      });
      return { state: { state: 'listening', port: taken, message: null, holder: null }, servers };
    } catch (error) {
      await closeServers(servers);
      // A port that was free for IPv4 may be taken for IPv6.
      if (port === 0 && codeOf(error) === 'EADDRINUSE' && tries < PORT_TRIES) continue;
      return { state: await failure(error, port), servers: [] };
    }
  }
}

function listen(make: () => Server, host: string, port: number, servers: Server[]): Promise<number> {
  const server = make();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', () => {});
      servers.push(server);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Stops accepting; resolves when every connection has ended. */
export async function closeServers(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
}

async function failure(error: unknown, port: number): Promise<ListenerState> {
  if (codeOf(error) !== 'EADDRINUSE') {
    const message = `Port ${port} could not be opened. Receivers are off. ${(error as Error).message}`;
    return { state: 'failed', port, message, holder: null };
  }
  const found = await findPortHolder(port);
  const holder = found === null ? null : `${found.name} (process ${found.pid})`;
  return { state: 'port_in_use', port, message: `Port ${port} is in use. Receivers are off.`, holder };
}
