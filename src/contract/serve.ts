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

const toErrorValue = (error: unknown, onBug: (error: unknown) => void): ErrorValue => {
  if (error instanceof ContractError) return { code: error.code, message: error.message, field: error.field };
  if ((error as { code?: unknown } | null)?.code === 'store_not_writable')
    return { code: 'store_not_writable', message: errorCodes.store_not_writable };
  onBug(error);
  return { code: 'internal', message: 'Something failed inside Hookbench; the log has the details.' };
};

/** Serves `handlers` on a channel. `onBug` hears of errors that are not the caller's. */
export function serveContract(channel: Channel, handlers: Handlers, onBug: (error: unknown) => void): ClientPeer {
  const call = async (name: string, input: unknown): Promise<Answer> => {
    try {
      if (!Object.hasOwn(commands, name)) throw new ContractError('unknown_command', `There is no command ${name}.`);
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
  const rpc = createBirpc<ClientSide, EngineSide>({ call }, { ...transportOf(channel), timeout: -1 });
  return {
    changes: async (batch) => {
      await rpc.changes(batch);
    },
    close: () => rpc.$close(),
  };
}
