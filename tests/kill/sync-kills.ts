/**
 * Kills `hookbench serve` at a failpoint of a sync, starts it again and resumes the sync. Nobody may be left out, and
 * nobody may get a second message; only what was open at the kill may arrive again, with the same bytes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openRunning, type Running } from '../../src/cli/running.ts';
import type { SyncRow } from '../../src/contract/audiences.ts';
import type { SyncFailpoint } from '../../src/core/failpoint.ts';
import { pause, within } from './processes.ts';

/** Longer than any step of a run takes. */
export const LIMIT_MS = 60_000;
const LOOK_MS = 50;
export const WRITE_KEY = 'wk_kill';
/** Members of one edit. */
const EDITED = 1_000;

export interface SyncKill {
  readonly cli: string;
  readonly folder: string;
  readonly name: SyncFailpoint;
  /** Which hit of the failpoint ends the process, from 1. */
  readonly nth: number;
  readonly members: number;
}

export interface AfterSyncKill {
  readonly isReached: boolean;
  /** As the next start found it. */
  readonly found: SyncRow;
  readonly done: SyncRow;
  /** Distinct bodies by user. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  readonly arrivals: number;
  /** What a second sync would send; null for nothing. */
  readonly second: SyncRow | null;
}

interface Served {
  readonly child: ChildProcess;
  readonly running: Running;
}

/** The receiver: answers 200 and keeps the bodies by user. */
export class Receiver {
  readonly bodies = new Map<string, Set<string>>();
  arrivals = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('error', () => {});
      request.on('end', () => {
        this.#arrived(Buffer.concat(parts).toString());
        response.writeHead(200, { 'content-length': '2' }).end('ok');
      });
    });
  }

  #arrived(body: string): void {
    this.arrivals += 1;
    const { userId } = JSON.parse(body) as { userId: string };
    const bodies = this.bodies.get(userId) ?? new Set();
    this.bodies.set(userId, bodies.add(body));
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export const memberAt = (n: number): string => `user-${String(n).padStart(5, '0')}`;

export async function killSync(kill: SyncKill): Promise<AfterSyncKill> {
  const receiver = new Receiver();
  const children: ChildProcess[] = [];
  try {
    writeConfig(kill.folder, await receiver.listen());
    const serve = async (failpoint?: string): Promise<Served> => {
      const child = startServe(kill, failpoint);
      children.push(child);
      return { child, running: await ready(child, kill.folder) };
    };
    const first = await serve(`${kill.name}:${kill.nth}`);
    const id = await makeAudience(first.running, kill.members);
    const ended = once(first.child, 'exit');
    // It may be killed before it can answer.
    first.running.call('audiences.sync', { id }).catch(() => {});
    const isReached = await within(ended, LIMIT_MS);
    if (!isReached) first.child.kill('SIGKILL');
    first.running.close();

    const { running, child } = await serve();
    const found = await running.call('audiences.getSync', { id, n: 1 });
    if (found.state === 'stopped') await running.call('audiences.resumeSync', { sync: found.id });
    const done = await doneSync(running, id);
    const second = await running.call('audiences.sync', { id });
    running.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
    return { isReached, found, done, bodies: receiver.bodies, arrivals: receiver.arrivals, second };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    receiver.close();
  }
}

export function writeConfig(folder: string, port: number): void {
  const config = {
    sources: [{ name: 'kill', writeKey: WRITE_KEY }],
    webhooks: {
      body: 'pass-through',
      retry: { baseMs: 1_000, factor: 1, maxMs: 1_000, windowMs: 3_600_000, jitter: 0, seed: 1 },
      entries: [{ name: 'hook', url: `http://127.0.0.1:${port}/` }],
    },
  };
  writeFileSync(join(folder, 'hookbench.json'), JSON.stringify(config));
}

export function startServe(
  { cli, folder }: Pick<SyncKill, 'cli' | 'folder'>,
  failpoint: string | undefined,
): ChildProcess {
  const options = ['--workspace', workspaceOf(folder), '--config', join(folder, 'hookbench.json')];
  const ports = ['--ingest-port', '0', '--ui-port', '0', '--no-receivers'];
  const { HOOKBENCH_FAILPOINT: _, ...env } = process.env;
  return spawn(process.execPath, [cli, 'serve', ...options, ...ports, '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: failpoint === undefined ? env : { ...env, HOOKBENCH_FAILPOINT: failpoint },
  });
}

export const workspaceOf = (folder: string): string => join(folder, 'workspace');

export async function ready(child: ChildProcess, folder: string): Promise<Running> {
  const line = once(createInterface({ input: child.stdout! }), 'line');
  if (!(await within(line, LIMIT_MS))) throw new Error('serve did not start.');
  const running = await openRunning(workspaceOf(folder));
  if (running === null) throw new Error('serve has no local socket.');
  return running;
}

async function makeAudience({ call }: Running, members: number): Promise<number> {
  const { id } = await call('audiences.save', { name: 'Killed' });
  for (let from = 0; from < members; from += EDITED) {
    const add = Array.from({ length: Math.min(EDITED, members - from) }, (_, i) => memberAt(from + i));
    await call('audiences.editMembers', { id, add });
  }
  return id;
}

async function doneSync({ call }: Running, id: number): Promise<SyncRow> {
  for (let waited = 0; waited < LIMIT_MS; waited += LOOK_MS) {
    const sync = await call('audiences.getSync', { id, n: 1 });
    if (sync.state === 'done') return sync;
    await pause(LOOK_MS);
  }
  throw new Error('The resumed sync does not end.');
}
