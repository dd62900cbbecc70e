/**
 * Kills `hookbench serve` at a failpoint of an import, starts it again and imports the file once more: the store holds
 * whole pieces only, and in the end every call once.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Running } from '../../src/cli/running.ts';
import type { CallImportView } from '../../src/contract/exchange.ts';
import type { MessageRow } from '../../src/contract/values.ts';
import type { ImportFailpoint } from '../../src/core/failpoint.ts';
import { pause, within } from './processes.ts';
import { LIMIT_MS, Receiver, ready, startServe, writeConfig } from './sync-kills.ts';

const LOOK_MS = 50;

export interface ImportKill {
  readonly cli: string;
  readonly folder: string;
  readonly name: ImportFailpoint;
  /** Which hit of the failpoint ends the process, from 1. */
  readonly nth: number;
  /** The calls of each piece, by user. */
  readonly pieces: ReadonlyArray<readonly string[]>;
}

export interface AfterImportKill {
  readonly isReached: boolean;
  /** Users in the store as the next start found it, in the order stored. */
  readonly found: readonly string[];
  /** The second import of the whole file. */
  readonly again: CallImportView;
  readonly users: readonly string[];
  /** Users whose calls arrived at the webhook. */
  readonly arrived: ReadonlySet<string>;
}

export async function killImport(kill: ImportKill): Promise<AfterImportKill> {
  const receiver = new Receiver();
  const children: ChildProcess[] = [];
  try {
    writeConfig(kill.folder, await receiver.listen());
    const serve = async (failpoint?: string) => {
      const child = startServe(kill, failpoint);
      children.push(child);
      return { child, running: await ready(child, kill.folder) };
    };
    const first = await serve(`${kill.name}:${kill.nth}`);
    const ended = once(first.child, 'exit');
    // It is killed before it can answer.
    importPieces(first.running, kill.pieces).catch(() => {});
    const isReached = await within(ended, LIMIT_MS);
    if (!isReached) first.child.kill('SIGKILL');
    first.running.close();

    const { running, child } = await serve();
    const found = await usersIn(running);
    const again = await importPieces(running, kill.pieces);
    await delivered(running);
    const users = await usersIn(running);
    running.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
    return { isReached, found, again, users, arrived: new Set(receiver.bodies.keys()) };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    receiver.close();
  }
}

async function importPieces({ call }: Running, pieces: ImportKill['pieces']): Promise<CallImportView> {
  const { import: token } = await call('messages.importOpen', { deliver: true });
  for (const users of pieces) await call('messages.importText', { import: token, text: textOf(users), last: false });
  return call('messages.importText', { import: token, text: '', last: true });
}

/** Without a messageId, so that the bytes alone say that a call is there already. */
const textOf = (users: readonly string[]): string =>
  users.map((userId) => `${JSON.stringify({ type: 'track', event: 'Imported order', userId })}\n`).join('');

async function allRows({ call }: Running): Promise<MessageRow[]> {
  return (await call('messages.list', { filter: {}, limit: 1_000 })).rows;
}

const usersIn = async (running: Running): Promise<string[]> =>
  (await allRows(running)).map(({ userId }) => userId ?? '').reverse();

async function delivered(running: Running): Promise<void> {
  for (let waited = 0; waited < LIMIT_MS; waited += LOOK_MS) {
    if ((await allRows(running)).every(({ state }) => state === 'delivered')) return;
    await pause(LOOK_MS);
  }
  throw new Error('The imported calls are not delivered.');
}
