import { connect, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** A port that this process holds until the test is done. The `free` ports after it are free, by default one. */
export async function takenPort(free = 1): Promise<number> {
  for (;;) {
    const server = await listening(0);
    const { port } = server!.address() as { port: number };
    const after = await Promise.all(Array.from({ length: free }, (_, i) => listening(port + 1 + i)));
    await Promise.all(after.map((one) => one && closed(one)));
    if (after.includes(null)) await closed(server!);
    else {
      onTestFinished(() => closed(server!));
      return port;
    }
  }
}

/**
 * A port that cannot be listened on and for which the system names no program: that of an outgoing connection. It is
 * held until the test is done.
 */
export async function namelessPort(): Promise<number> {
  const server = await listening(0);
  const client = connect((server!.address() as { port: number }).port, '127.0.0.1');
  await new Promise((resolve) => client.once('connect', resolve));
  onTestFinished(() => {
    client.destroy();
    return closed(server!);
  });
  return client.localPort!;
}

/** Null when the port is taken. */
const listening = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
