/**
 * The contract over any channel of text: birpc carries calls both ways, zod checks arguments at the
 * engine's edge, errors cross as values.
 */
import { createBirpc } from 'birpc';
import { type CommandInput, type CommandName, type CommandOutput, commands } from './commands.ts';
import { ContractError, type ErrorValue } from './errors.ts';
import type { ChangeBatch } from './values.ts';

/** A two-way channel of JSON text: a MessagePort, a WebSocket or a local socket. */
export interface Channel {
  post(text: string): void;
  onText(listener: (text: string) => void): void;
}

type Answer = { ok: true; value: unknown } | { ok: false; error: ErrorValue };

interface EngineSide {
  call(name: string, input: unknown): Promise<Answer>;
}
interface ClientSide {
  /** Resolves when the client has applied the batch: what bounds a slow reader. */
  changes(batch: ChangeBatch): void;
}

export type Handlers = {
  [N in CommandName]: (
    input: ReturnType<(typeof commands)[N]['input']['parse']>,
  ) => CommandOutput<N> | Promise<CommandOutput<N>>;
};

/** A connected client as the engine sees it. */
export interface ClientPeer {
  changes(batch: ChangeBatch): Promise<void>;
  close(): void;
}

export interface Client {
  call<N extends CommandName>(
    name: N,
    ...input: undefined extends CommandInput<N> ? [CommandInput<N>?] : [CommandInput<N>]
  ): Promise<CommandOutput<N>>;
  close(): void;
}

const transportOf = (channel: Channel) => ({
  post: (text: string) => channel.post(text),
  on: (listener: (text: string) => void) => channel.onText(listener),
  serialize: (value: unknown) => JSON.stringify(value),
  deserialize: (text: string) => JSON.parse(text),
});

const toErrorValue = (error: unknown, onBug: (error: unknown) => void): ErrorValue => {
  if (error instanceof ContractError) return { code: error.code, message: error.message, field: error.field };
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

/** Connects to an engine. A call rejects with a {@link ContractError}; `onChanges` runs for each batch. */
export function connectContract(channel: Channel, onChanges: (batch: ChangeBatch) => void): Client {
  const rpc = createBirpc<EngineSide, ClientSide>(
    { changes: (batch) => onChanges(batch) },
    { ...transportOf(channel), timeout: 60_000 },
  );
  return {
    call: async (name, ...input) => {
      const answer = await rpc.call(name, input[0] ?? null);
      if (answer.ok) return answer.value as never;
      throw new ContractError(answer.error.code, answer.error.message, answer.error.field);
    },
    close: () => rpc.$close(),
  };
}
