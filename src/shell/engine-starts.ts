/** Starts a shell's engine, and starts it again after a crash. */
import { type EngineStartOptions, type EngineThread, startEngineThread } from '../core/engine/engine-thread.ts';

/**
 * After a crash the engine comes back on the ports it had, also where those were any free ones, and without the config
 * file: its values were stored by the first start, and what a person changed since then must not be undone. Nor does
 * it take another store a second time.
 */
export function engineStarts(workerPath: string | URL, options: EngineStartOptions): () => Promise<EngineThread> {
  let next = options;
  return async () => {
    const thread = await startEngineThread(workerPath, next);
    const { listener, https } = thread.info;
    const { config: _stored, ...kept } = options;
    next = {
      ...kept,
      acceptStore: false,
      ingestPort: options.ingestPort === 0 ? listener.port : options.ingestPort,
      httpsPort: options.httpsPort === 0 ? (https?.port ?? 0) : options.httpsPort,
    };
    return thread;
  };
}
