/** What the engine asks of its shell, across the two threads: one question, one answer. */
import type { MessagePort, Worker } from 'node:worker_threads';
import { ContractError, type ErrorValue } from '../../contract/errors.ts';
import type { EngineShell } from '../demo/handlers.ts';

type Name = keyof EngineShell;

export interface ShellAsk {
  readonly type: 'ask';
  readonly n: number;
  readonly name: Name;
  readonly input: unknown;
}

export interface ShellTold {
  readonly type: 'told';
  readonly n: number;
  readonly answer: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ErrorValue };
}

/** In the engine's thread: asks, and waits for the answer. */
export function askShell(parent: MessagePort): EngineShell {
  const waiting = new Map<number, (answer: ShellTold['answer']) => void>();
  let asked = 0;
  parent.on('message', (message: ShellTold | { readonly type: string }) => {
    if (message.type !== 'told') return;
    const { n, answer } = message as ShellTold;
    waiting.get(n)?.(answer);
    waiting.delete(n);
  });
  const ask = async (name: Name, input: unknown): Promise<never> => {
    asked += 1;
    const n = asked;
    const answer = await new Promise<ShellTold['answer']>((resolve) => {
      waiting.set(n, resolve);
      parent.postMessage({ type: 'ask', n, name, input } satisfies ShellAsk);
    });
    if (!answer.ok) throw new ContractError(answer.error.code, answer.error.message);
    return answer.value as never;
  };
  return {
    open: (input) => ask('open', input),
    address: () => ask('address', null),
    reset: (input) => ask('reset', input),
    end: () => ask('end', null),
    workspaces: () => ask('workspaces', null),
  };
}

const errorOf = (error: unknown): ErrorValue =>
  error instanceof ContractError
    ? { code: error.code, message: error.message }
    : { code: 'demo_failed', message: error instanceof Error ? error.message : String(error) };

/** In the shell's thread: answers what the engine asks. */
export function answerShell(worker: Worker, shell: EngineShell | undefined): void {
  worker.on('message', (message: ShellAsk | { readonly type: string }) => {
    if (message.type !== 'ask') return;
    const { n, name, input } = message as ShellAsk;
    void answerOf(shell, name, input).then((answer) =>
      worker.postMessage({ type: 'told', n, answer } satisfies ShellTold),
    );
  });
}

async function answerOf(shell: EngineShell | undefined, name: Name, input: unknown): Promise<ShellTold['answer']> {
  try {
    if (name === 'workspaces') return { ok: true, value: (await shell?.workspaces?.()) ?? [] };
    if (shell === undefined) throw new ContractError('demo_not_here');
    const value = await (shell[name] as (input: unknown) => Promise<unknown>)(input);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, error: errorOf(error) };
  }
}
