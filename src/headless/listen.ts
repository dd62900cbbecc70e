/** Listens on 127.0.0.1 and, where the machine has it, on ::1, both on the same port. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another program has the port. */
export class PortInUseError extends Error {
  readonly code = 'port_in_use';
  readonly port: number;
  constructor(port: number) {
    super(`Port ${port} is in use.`);
    this.name = 'PortInUseError';
    this.port = port;
  }
}

const ANY_PORT_TRIES = 20;

const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const closeQuietly = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** The servers that listen. Without IPv6 there is no second one. */
async function listenOnce(makeServer: () => Server, port: number): Promise<{ servers: Server[]; port: number }> {
  const v4 = makeServer();
  const taken = await listen(v4, '127.0.0.1', port);
  const v6 = makeServer();
  try {
    await listen(v6, '::1', taken);
    return { servers: [v4, v6], port: taken };
  } catch (error) {
    if (codeOf(error) === 'EADDRNOTAVAIL' || codeOf(error) === 'EAFNOSUPPORT') return { servers: [v4], port: taken };
    await closeQuietly(v4);
    throw error;
  }
}

/** Port 0 takes any port that is free on both addresses. Rejects with a {@link PortInUseError}. */
export async function listenOnLoopback(
  makeServer: () => Server,
  port: number,
): Promise<{ servers: Server[]; port: number }> {
  for (let tries = 1; ; tries++) {
    try {
      return await listenOnce(makeServer, port);
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' && codeOf(error) !== 'EACCES') throw error;
      if (port !== 0 || tries >= ANY_PORT_TRIES) throw new PortInUseError(port);
    }
  }
}
