/** Reads messages and attempts of a workspace: from its running engine, or from the stored file when none runs. */
import type { CommandInput, CommandOutput } from '../contract/commands.ts';
import type { FilterContext } from '../contract/filter.ts';
import { openRunning } from './running.ts';

type Answer<T> = T | Promise<T>;

/** What both a running engine and the stored file answer. */
export interface Reader {
  listMessages(input: CommandInput<'messages.list'>): Answer<CommandOutput<'messages.list'>>;
  listAttempts(input: CommandInput<'attempts.list'>): Answer<CommandOutput<'attempts.list'>>;
  /** For the names in a filter. */
  listSources(): Answer<FilterContext['sources']>;
  close(): void;
}

/** There is neither a running instance nor a stored file. */
export class NoStoreError extends Error {
  readonly code = 'no_store';
}

async function openRunningReader(workspace: string): Promise<Reader | null> {
  const running = await openRunning(workspace);
  if (running === null) return null;
  return {
    listMessages: (input) => running.call('messages.list', input),
    listAttempts: (input) => running.call('attempts.list', input),
    listSources: async () => (await running.call('app.hello', {})).parts.sources,
    close: running.close,
  };
}

/** Rejects with a {@link NoStoreError} when the workspace has no store. */
export async function openReader(
  workspace: string,
  openOffline: (workspace: string) => Answer<Reader>,
): Promise<Reader> {
  const running = await openRunningReader(workspace);
  if (running !== null) return running;
  try {
    return await openOffline(workspace);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'no_store') throw error;
    throw new NoStoreError(`There is no store in ${workspace}, and no instance runs there.`);
  }
}

const PAGE_SIZE = 1_000;

/** Newest first, at most `limit`. */
export async function* messagesOf(
  reader: Reader,
  filter: CommandInput<'messages.list'>['filter'],
  limit: number,
): AsyncGenerator<CommandOutput<'messages.list'>['rows'][number]> {
  let before: number | undefined;
  for (let left = limit; left > 0; ) {
    const page = await reader.listMessages({ filter, before, limit: Math.min(PAGE_SIZE, left) });
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
    const page = await reader.listAttempts({ messageId, after, limit: PAGE_SIZE });
    yield* page.rows;
    if (page.nextAfter === null) return;
    after = page.nextAfter;
  }
}
