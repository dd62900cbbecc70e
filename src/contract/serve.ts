/** The engine's half of the contract: zod checks every argument before a handler runs. */
import { createBirpc } from 'birpc';
import {
  type Answer,
  type Channel,
  type ClientPeer,
  type ClientSide,
  type EngineSide,
  type Handlers,
  transportOf,
} from './channel.ts';
import { type CommandName, commands } from './commands.ts';
import { ContractError, type ErrorValue, errorCodes } from './errors.ts';
import type { TextProblem } from './texts.ts';

const INTERNAL: ErrorValue = {
  code: 'internal',
  message: 'Something failed inside Hookbench; the log has the details.',
};
/** A name that is echoed to its sender. */
const MAX_SHOWN_NAME = 100;

const toErrorValue = (error: unknown, onBug: (error: unknown) => void): ErrorValue => {
  if (error instanceof ContractError) return { code: error.code, message: error.message, field: error.field };
  if ((error as { code?: unknown } | null)?.code === 'store_not_writable')
    return { code: 'store_not_writable', message: errorCodes.store_not_writable };
  onBug(error);
  return INTERNAL;
};

/** The text of a call or an answer. An answer that cannot be serialised fails only its own call. */
function write(message: { t: 'q' } | { t: 's'; i: string }, onBug: (error: unknown) => void): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    onBug(error);
    if (message.t === 'q') throw error;
    return JSON.stringify({ t: 's', i: message.i, r: { ok: false, error: INTERNAL } satisfies Answer });
  }
}

/**
 * Serves `handlers` on a channel. Calls `onBug` with errors that are not the caller's fault, and `onBadText` with the
 * reason when a text that is neither a call nor an answer ends the channel.
 */
export function serveContract(
  channel: Channel,
  handlers: Handlers,
  onBug: (error: unknown) => void,
  onBadText: (problem: TextProblem) => void = () => {},
): ClientPeer {
  const call = async (name: unknown, input: unknown): Promise<Answer> => {
    try {
      if (typeof name !== 'string' || !Object.hasOwn(commands, name))
        throw new ContractError('unknown_command', `There is no command ${String(name).slice(0, MAX_SHOWN_NAME)}.`);
      const parsed = commands[name as CommandName].input.safeParse(input);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw new ContractError('invalid_argument', issue?.message, issue?.path.join('.'));
      }
      const handler = handlers[name as CommandName] as (value: unknown) => unknown;
      return { ok: true, value: (await handler(parsed.data)) ?? null };
    } catch (error) {
      return { ok: false, error: toErrorValue(error, onBug) };
    }
  };
  const refuse = (problem: TextProblem): void => {
    onBadText(problem);
    rpc.$close();
  };
  const rpc = createBirpc<ClientSide, EngineSide>(
    { call },
    {
      ...transportOf(channel, { function: 'call', args: 2 }, refuse),
      serialize: (message) => write(message, onBug),
      timeout: -1,
    },
  );
  return {
    changes: async (batch) => {
      await rpc.changes(batch);
    },
    close: () => rpc.$close(),
  };
}
