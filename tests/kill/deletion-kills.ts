/**
 * Kills `hookbench serve` at a failpoint of a deletion request, starts it again and lets the request end: each notice is
 * stored once, everything of the users is erased, and no file keeps a byte of it.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Running } from '../../src/cli/running.ts';
import type { DeletionDetail } from '../../src/contract/deletions.ts';
import type { MessageRow } from '../../src/contract/values.ts';
import type { DeletionFailpoint } from '../../src/core/failpoint.ts';
import { pause, within } from './processes.ts';
import { LIMIT_MS, Receiver, ready, startServe, WRITE_KEY, workspaceOf, writeConfig } from './sync-kills.ts';

const LOOK_MS = 50;
/** In the traits of every user that is erased. */
export const TRACE = 'killed-while-erased';

export interface DeletionKill {
  readonly cli: string;
  readonly folder: string;
  readonly name: DeletionFailpoint;
  /** Which hit of the failpoint ends the process, from 1. */
  readonly nth: number;
  readonly users: number;
}

export interface AfterDeletionKill {
  readonly isReached: boolean;
  /** As the next start found it. */
  readonly found: DeletionDetail;
  readonly done: DeletionDetail;
  readonly rows: readonly MessageRow[];
  /** Distinct bodies of the notices by user, as they arrived. */
  readonly notices: ReadonlyMap<string, number>;
  readonly members: number;
  readonly suppressed: number;
  /** Files that hold a trace of the users. */
  readonly traces: readonly string[];
}

export const userAt = (n: number): string => `erased-${String(n).padStart(4, '0')}`;

export async function killDeletion(kill: DeletionKill): Promise<AfterDeletionKill> {
  const receiver = new Receiver();
  const children: ChildProcess[] = [];
  const userIds = Array.from({ length: kill.users }, (_, i) => userAt(i));
  try {
    writeConfig(kill.folder, await receiver.listen());
    const serve = async (failpoint?: string) => {
      const child = startServe(kill, failpoint);
      children.push(child);
      return { child, running: await ready(child, kill.folder) };
    };
    const first = await serve(`${kill.name}:${kill.nth}`);
    const audience = await fill(first.running, userIds);
    const ended = once(first.child, 'exit');
    // It may be killed before it can answer.
    first.running.call('deletions.create', { userIds, erase: true, suppress: true }).catch(() => {});
    const isReached = await within(ended, LIMIT_MS);
    if (!isReached) first.child.kill('SIGKILL');
    first.running.close();

    const { running, child } = await serve();
    const found = await running.call('deletions.get', { id: 1 });
    const done = await finished(running);
    const { rows } = await running.call('messages.list', { filter: {}, limit: 1_000 });
    const { total } = await running.call('deletions.suppressions', { limit: 1 });
    const { counts } = await running.call('audiences.get', { id: audience });
    running.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
    return {
      isReached,
      found,
      done,
      rows,
      notices: noticesOf(receiver),
      members: counts.members,
      suppressed: total,
      traces: tracesIn(workspaceOf(kill.folder)),
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    receiver.close();
  }
}

/**
 * Two calls of each user, in requests that also hold one of somebody else, and an audience of all. Returns its id once
 * everything is delivered: the row of the newest attempt stays, emptied, and it should not be one of an erased user.
 */
async function fill({ call }: Running, userIds: readonly string[]): Promise<number> {
  const { listener } = await call('app.status');
  const authorization = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString('base64')}`;
  const { id } = await call('audiences.save', { name: 'Killed' });
  await call('audiences.editMembers', { id, add: [...userIds, 'kept'] });
  for (const type of ['identify', 'track'] as const)
    for (let from = 0; from < userIds.length; from += 30) {
      const calls = userIds.slice(from, from + 30).map((userId) => ({
        type,
        userId,
        event: 'Order',
        traits: { trace: TRACE },
      }));
      const answer = await fetch(`http://127.0.0.1:${listener.port}/v1/batch`, {
        method: 'POST',
        headers: { Authorization: authorization },
        body: JSON.stringify({ batch: [...calls, { type: 'track', event: 'Order', userId: 'kept' }] }),
      });
      if (!answer.ok) throw new Error(`Ingest answered ${answer.status}.`);
    }
  for (let waited = 0; waited < LIMIT_MS; waited += LOOK_MS) {
    const { rows } = await call('messages.list', { filter: {}, limit: 1_000 });
    if (rows.every(({ state }) => state === 'delivered')) return id;
    await pause(LOOK_MS);
  }
  throw new Error('Not everything was delivered.');
}

async function finished({ call }: Running): Promise<DeletionDetail> {
  for (let waited = 0; waited < LIMIT_MS; waited += LOOK_MS) {
    const detail = await call('deletions.get', { id: 1 });
    if (detail.phase === 'finished' && detail.notices.waiting === 0) return detail;
    await pause(LOOK_MS);
  }
  throw new Error('The request does not end.');
}

function noticesOf({ bodies }: Receiver): Map<string, number> {
  const notices = new Map<string, number>();
  for (const [userId, all] of bodies) {
    const own = [...all].filter((body) => body.includes('"type":"delete"'));
    if (own.length > 0) notices.set(userId, own.length);
  }
  return notices;
}

const tracesIn = (workspace: string): string[] =>
  readdirSync(workspace, { withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(workspace, entry.name)).includes(TRACE))
    .map(({ name }) => name);
