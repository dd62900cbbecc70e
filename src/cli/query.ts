/** Reads messages and attempts of a workspace: from its running engine, or from the stored file when none runs. */
import { connectContract } from '../contract/channel.ts';
import type { CommandInput, CommandOutput } from '../contract/commands.ts';
import { controlSocketPath } from '../core/control-path.ts';
import { connectControlSocket } from '../core/control-socket.ts';

type Answer<T> = T | Promise<T>;

/** What both a running engine and the stored file answer. */
export interface Reader {
  listMessages(input: CommandInput<'messages.list'>): Answer<CommandOutput<'messages.list'>>;
  listAttempts(input: CommandInput<'attempts.list'>): Answer<CommandOutput<'attempts.list'>>;
  close(): void;
}

/** There is neither a running instance nor a stored file. */
export class NoStoreError extends Error {
  readonly code = 'no_store';
}

async function openRunning(workspace: string): Promise<Reader | null> {
  const channel = await connectControlSocket(controlSocketPath(workspace)).catch(() => null);
  if (channel === null) return null;
  const client = connectContract(channel, () => {});
  let ended: (error: Error) => void = () => {};
  const gone = new Promise<never>((_resolve, reject) => {
    ended = reject;
  });
  gone.catch(() => {});
  channel.onClose(() => ended(new Error('The running instance ended the connection.')));
  return {
    listMessages: (input) => Promise.race([client.call('messages.list', input), gone]),
    listAttempts: (input) => Promise.race([client.call('attempts.list', input), gone]),
    close: () => {
      client.close();
      channel.close();
    },
  };
}

/** Rejects with a {@link NoStoreError} when the workspace has no store. */
export async function openReader(
  workspace: string,
  openOffline: (workspace: string) => Answer<Reader>,
): Promise<Reader> {
  const running = await openRunning(workspace);
  if (running !== null) return running;
  try {
    return await openOffline(workspace);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'no_store') throw error;
    throw new NoStoreError(`There is no store in ${workspace}, and no instance runs there.`);
  }
}

const pageSize = 1_000;

/** Newest first, at most `limit`. */
export async function* messagesOf(
  reader: Reader,
  filter: CommandInput<'messages.list'>['filter'],
  limit: number,
): AsyncGenerator<CommandOutput<'messages.list'>['rows'][number]> {
  let before: number | undefined;
  for (let left = limit; left > 0; ) {
    const page = await reader.listMessages({ filter, before, limit: Math.min(pageSize, left) });
    yield* page.rows;
    left -= page.rows.length;
    if (page.nextBefore === null) return;
    before = page.nextBefore;
  }
}

/** Oldest first; of one message or all. */
export async function* attemptsOf(
  reader: Reader,
  messageId: string | undefined,
): AsyncGenerator<CommandOutput<'attempts.list'>['rows'][number]> {
  let after: number | undefined;
  for (;;) {
    const page = await reader.listAttempts({ messageId, after, limit: pageSize });
    yield* page.rows;
    if (page.nextAfter === null) return;
    after = page.nextAfter;
  }
}
