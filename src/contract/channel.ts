/**
 * The contract over any text channel. birpc carries calls both ways, and errors cross as values. This file holds what
 * both sides share, and the client's half. The engine's half, with zod, is in `serve.ts`, so that clients do not bundle
 * it.
 */
import { createBirpc } from 'birpc';
import type { CommandInput, CommandName, CommandOutput, commands } from './commands.ts';
import { ContractError, type ErrorValue } from './errors.ts';
import type { ChangeBatch } from './live.ts';
import { readText, type TextProblem } from './texts.ts';

/** A two-way channel of JSON text: a MessagePort, a WebSocket or a local socket. */
export interface Channel {
  /** Never throws. A text that can no longer be sent is dropped. */
  post(text: string): void;
  onText(listener: (text: string) => void): void;
  /** Ends the connection. Harmless when repeated. */
  close(): void;
}

export type Answer = { ok: true; value: unknown } | { ok: false; error: ErrorValue };

export interface EngineSide {
  call(name: string, input: unknown): Promise<Answer>;
}
export interface ClientSide {
  /**
   * Resolves when the client has applied the batch. The engine waits for this, so that a slow reader does not pile up
   * batches.
   */
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

/** What one side offers to the other. */
export interface Offer {
  readonly function: 'call' | 'changes';
  readonly args: number;
}

/**
 * Connects birpc to a channel. A text that is neither a call of an offered function nor an answer ends the channel,
 * after `onBadText` is called with the reason. Nothing passes after that.
 */
export function transportOf(channel: Channel, offer: Offer, onBadText: (problem: TextProblem) => void) {
  let isOpen = true;
  const refuse = (problem: TextProblem): void => {
    isOpen = false;
    onBadText(problem);
    channel.close();
  };
  return {
    post: (text: string) => {
      if (isOpen) channel.post(text);
    },
    on: (listener: (value: unknown) => void) =>
      channel.onText((text) => {
        if (!isOpen) return;
        const read = readText(text, offer.function, offer.args);
        if (typeof read === 'string') refuse(read);
        else listener(read);
      }),
    serialize: (value: unknown) => JSON.stringify(value),
  };
}

/** Connects to an engine. A call rejects with a {@link ContractError}; `onChanges` runs for each batch. */
export function connectContract(channel: Channel, onChanges: (batch: ChangeBatch) => void): Client {
  const rpc = createBirpc<EngineSide, ClientSide>(
    { changes: (batch) => onChanges(batch) },
    { ...transportOf(channel, { function: 'changes', args: 1 }, () => rpc.$close()), timeout: 60_000 },
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
