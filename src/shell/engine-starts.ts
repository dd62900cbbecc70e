/** Starts a shell's engine, and starts it again after a crash. */
import {
  type EngineShell,
  type EngineStartOptions,
  type EngineThread,
  startEngineThread,
} from '../core/engine/engine-thread.ts';
import type { EngineSource } from '../core/engine/prepared-engine.ts';

/**
 * After a crash the engine comes back on the ports that it had, even if it had asked for any free ones, and without the
 * config file: the first start stored its values, and later changes by a person must stay. Nor does it accept another
 * store a second time.
 */
export function engineStarts(
  source: EngineSource,
  options: EngineStartOptions,
  shell?: EngineShell,
): () => Promise<EngineThread> {
  let next = options;
  return async () => {
    const thread = await startEngineThread(source, next, shell);
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
