/** Starting, stopping and reading the processes of a kill run. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the promise settles within `ms`. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

/**
 * A port that is free now, and below those that the system assigns to connections while `serve` is down. Not drawn from
 * the run's seed: two runs beside each other would take each other's port between two lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

export async function startChild<T>(file: string, args: readonly string[]): Promise<{ child: ChildProcess; first: T }> {
  const child = fork(join(import.meta.dirname, file), [...args], { execArgv: [] });
  const [first] = (await once(child, 'message')) as [T];
  return { child, first };
}

export async function stopChild<T>(child: ChildProcess): Promise<T> {
  child.send({ type: 'stop' });
  const [done] = (await once(child, 'message')) as [T];
  child.disconnect();
  return done;
}

/**
 * Reads a list from the command line. Keeps only what `pick` returns for each line, because there may be a million
 * lines.
 */
export async function listed<T, P>(
  cli: string,
  command: 'messages' | 'attempts',
  workspace: string,
  pick: (line: T) => P,
): Promise<P[]> {
  const args = [cli, command, '--workspace', workspace, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const picked: P[] = [];
  for await (const line of createInterface({ input: child.stdout })) picked.push(pick(JSON.parse(line) as T));
  const [code] = await exited;
  if (code !== 0) throw new Error(`hookbench ${command} ended with code ${code}.`);
  return picked;
}
