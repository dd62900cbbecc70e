/** Redis and PostgreSQL as Debian has them, each in a folder and on a loopback port of its own, durable to the commit. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';

export interface Server {
  readonly port: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export interface ServerKind {
  readonly name: string;
  /** How to get it on Debian. */
  readonly install: string;
  /** Its program, or null where it is not installed. */
  readonly program: string | null;
  start(folder: string): Promise<Server>;
}

const onPath = (name: string): string | null =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync) ?? null;

const DEBIAN = '/usr/lib/postgresql';

/** Debian keeps the programs of PostgreSQL outside the path, in a folder for each version. */
function postgresProgram(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((one) => join(DEBIAN, one, 'bin/postgres')).find(existsSync) ?? onPath('postgres');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

const LIMIT_MS = 60_000;

async function serverOf(child: ChildProcess, port: number, signal: NodeJS.Signals): Promise<Server> {
  const ended = once(child, 'exit');
  const limit = performance.now() + LIMIT_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}.`);
    if (performance.now() > limit) throw new Error(`${child.spawnfile} does not listen.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = async (): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return { port, process: child, stop };
}

export const redis: ServerKind = {
  name: 'redis-server',
  install: 'apt-get install -y redis-server',
  program: onPath('redis-server'),
  async start(folder) {
    const port = await freePort();
    const listening = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    return serverOf(spawn('redis-server', [...listening, ...durable], { stdio: 'ignore' }), port, 'SIGTERM');
  },
};

/** PostgreSQL refuses to run as root, so root runs it as the user that Debian made for it. */
function asPostgres(folder: string): SpawnOptions {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'));
  const [, , uid, gid] = (line ?? '').split(':').map(Number);
  if (!uid || !gid) throw new Error('There is no user postgres, and PostgreSQL does not run as root.');
  chownSync(folder, uid, gid);
  return { uid, gid };
}

export const postgres: ServerKind = {
  name: 'postgres',
  install: 'apt-get install -y postgresql',
  program: postgresProgram(),
  async start(folder) {
    const program = postgresProgram()!;
    const data = join(folder, 'postgres');
    mkdirSync(data, { mode: 0o700 });
    const user = asPostgres(folder);
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid!);
    const init = ['-D', data, '-U', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale'];
    execFileSync(program.replace(/postgres$/, 'initdb'), init, { stdio: 'ignore', cwd: data, ...user });
    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${data}`];
    const durable = ['fsync=on', 'synchronous_commit=on'];
    const options = [...settings, ...durable].flatMap((setting) => ['-c', setting]);
    const child = spawn(program, ['-D', data, '-p', String(port), ...options], { stdio: 'ignore', cwd: data, ...user });
    return serverOf(child, port, 'SIGINT');
  },
};
