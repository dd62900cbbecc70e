/**
 * The shell's side of the engine's worker thread: start it, open channels to it, stop it. Both shells use it, so that a
 * window or socket and the engine never stall each other.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { NotSendingReasonName } from '../../contract/not-sending.ts';
import type { ListenerView } from '../../contract/values.ts';
import { systemTimers } from '../adapters/clock.ts';
import type { DemoShell, EngineShell } from '../demo/handlers.ts';
import type { EngineOptions } from './engine-options.ts';
import { type EngineSource, type StartMessage, startWorker } from './prepared-engine.ts';
import { answerShell, type ShellAsk, type ShellTold } from './shell-asks.ts';

/** Plain values only: they cross to the worker. */
type WorkerPath = 'receiversWorker' | 'peopleWorker' | 'backgroundWorker';

export interface EngineStartOptions extends Omit<EngineOptions, WorkerPath> {
  readonly receiversWorker?: string | undefined;
  readonly peopleWorker?: string | undefined;
  readonly backgroundWorker?: string | undefined;
  /** 32 bytes that seal the secrets of the workspace, as base64. */
  readonly secretKeyBase64: string;
}

export type { DemoShell, EngineShell };

export type EngineStartErrorCode =
  | 'workspace_in_use'
  | 'workspace_not_writable'
  | 'store_newer'
  | 'store_corrupt'
  | 'store_foreign'
  | 'store_replaced'
  | 'config_invalid'
  | 'engine_failed';

export interface EngineInfo {
  /** The ingest port may be in use. Its state then says so, and everything else runs. */
  readonly listener: ListenerView;
  /** Also `stopped` while it is still starting. */
  readonly https?: ListenerView;
  readonly workspace: string;
  /** Every reason why nothing, or not everything, is sent, as of the start. */
  readonly notSending: readonly NotSendingReasonName[];
}

/** The open attempts that a stop waits for, and its time limit. */
export interface StopWait {
  /** Requests that are on the wire. */
  readonly attempts: number;
  /** The longest that it waits. */
  readonly limitMs: number;
}

/** One contract connection: JSON texts both ways, to be relayed as they are. */
export interface TextPort {
  post(text: string): void;
  onText(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

export interface EngineThread {
  readonly info: EngineInfo;
  connect(): TextPort;
  /**
   * Stops listening, waits for open attempts, closes the store. Harmless when repeated. Calls `onWait` when there are
   * open attempts to wait for. Terminates a thread that does not end in time; everything acknowledged is on disk by
   * then.
   */
  stop(onWait?: (waiting: StopWait) => void): Promise<void>;
  /** Resolves when the thread has ended; if nobody asked it to stop, with the error that ended it. */
  readonly exited: Promise<Error | null>;
}

/** Why the engine did not start. */
export class EngineStartError extends Error {
  readonly code: EngineStartErrorCode;
  constructor(code: EngineStartErrorCode, message: string) {
    super(message);
    this.name = 'EngineStartError';
    this.code = code;
  }
}

export type ToWorker =
  | StartMessage<EngineStartOptions>
  | { type: 'connect'; port: MessagePort }
  | { type: 'stop' }
  | ShellTold;
export type FromWorker =
  | { type: 'ready'; info: EngineInfo }
  | { type: 'failed'; code: EngineStartErrorCode; message: string }
  | ({ type: 'stopping' } & StopWait)
  | ShellAsk;

const textPort = (port: MessagePort): TextPort => ({
  post: (text) => port.postMessage(text),
  onText: (listener) => void port.on('message', listener),
  onClose: (listener) => void port.on('close', listener),
  close: () => port.close(),
});

/** The time limit of a stop, not counting the wait for open attempts. */
const STOP_LIMIT_MS = 10_000;

/**
 * Rejects with an {@link EngineStartError}. `shell` answers what the engine asks.
 */
export async function startEngineThread(
  source: EngineSource,
  options: EngineStartOptions,
  shell?: EngineShell,
): Promise<EngineThread> {
  const worker = startWorker(source, options);
  answerShell(worker, shell);
  let failure: Error | null = null;
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  const exited = new Promise<Error | null>((resolve) => worker.on('exit', () => resolve(failure)));
  const info = await new Promise<EngineInfo>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve(message.info);
      else if (message.type === 'failed') reject(new EngineStartError(message.code, message.message));
    });
    void exited.then((error) => reject(new EngineStartError('engine_failed', error?.message ?? 'The engine ended.')));
  });
  return {
    info,
    connect: () => {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ type: 'connect', port: port2 } satisfies ToWorker, [port2]);
      return textPort(port1);
    },
    stop: async (onWait = () => {}) => {
      let limit = systemTimers.after(STOP_LIMIT_MS, () => void worker.terminate());
      worker.on('message', (message: FromWorker) => {
        if (message.type !== 'stopping') return;
        const { attempts, limitMs } = message;
        limit.cancel();
        limit = systemTimers.after(STOP_LIMIT_MS + limitMs, () => void worker.terminate());
        onWait({ attempts, limitMs });
      });
      worker.postMessage({ type: 'stop' } satisfies ToWorker);
      await exited;
      limit.cancel();
    },
    exited,
  };
}
