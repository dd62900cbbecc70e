/**
 * The engine's thread. It uses the real ports, reports `ready` or `failed`, and serves contract ports until it is
 * stopped.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock, systemTimers } from '../adapters/clock.ts';
import { systemIds } from '../adapters/ids.ts';
import { localPost } from '../adapters/local-post.ts';
import { createJsonLogger } from '../adapters/logger.ts';
import { createSystemRandom } from '../adapters/random.ts';
import { createSealer } from '../adapters/sealer.ts';
import { createHttpTransport } from '../delivery/transport/http-transport.ts';
import { armFailpoint } from '../failpoint.ts';
import type { LogLevel } from '../ports.ts';
import { StoreOpenError, startError } from '../store/database.ts';
import { openStores } from '../store/stores.ts';
import { ConfigValueError } from '../workspace/settings-owner.ts';
import { Engine } from './engine.ts';
import type { EngineStartErrorCode, EngineStartOptions, FromWorker, ToWorker } from './engine-thread.ts';
import type { StartMessage } from './prepared-engine.ts';
import { askShell } from './shell-asks.ts';

const parent = parentPort!;

/** A thread that was started before its options were known waits for them here, with everything loaded. */
async function givenOptions(): Promise<EngineStartOptions> {
  const [message] = (await once(parent, 'message')) as [StartMessage<EngineStartOptions>];
  return message.options;
}

const options = (workerData as EngineStartOptions | null) ?? (await givenOptions());
const say = (message: FromWorker): void => parent.postMessage(message);

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Levels from `HOOKBENCH_LOG`. The default is `warn`, so that a terminal shows only what needs attention. */
const logLevel = (wanted: string | undefined): LogLevel => LEVELS.find((level) => level === wanted) ?? 'warn';

function codeOf(error: unknown): EngineStartErrorCode {
  if (error instanceof ConfigValueError) return 'config_invalid';
  if (error instanceof StoreOpenError && error.code !== 'no_store') return error.code;
  return 'engine_failed';
}

async function run(): Promise<void> {
  armFailpoint();
  const engine = new Engine(options, {
    clock: systemClock,
    timers: systemTimers,
    random: createSystemRandom(),
    ids: systemIds,
    logger: createJsonLogger({ clock: systemClock, level: logLevel(process.env.HOOKBENCH_LOG) }),
    sealer: createSealer(Buffer.from(options.secretKeyBase64, 'base64')),
    transport: ({ ownPorts, authorities }) =>
      createHttpTransport({ clock: systemClock, timers: systemTimers, ownPorts, ca: authorities }),
    readFile: readFileSync,
    openStore: openStores,
    post: localPost,
    shell: askShell(parent),
  });
  parent.on('message', (message: ToWorker) => {
    if (message.type === 'stop')
      return void engine.stop((waiting) => say({ type: 'stopping', ...waiting })).then(() => parent.close());
    if (message.type !== 'connect') return;
    const { port } = message;
    const channel = {
      post: (text: string) => port.postMessage(text),
      onText: (listener: (text: string) => void) => void port.on('message', listener),
      close: () => port.close(),
    };
    const disconnect = engine.connect(channel, 'app');
    port.on('close', disconnect);
  });
  try {
    say({ type: 'ready', info: await engine.start() });
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

run().catch((thrown: unknown) => {
  const error = startError(options.workspace, thrown);
  say({ type: 'failed', code: codeOf(error), message: error instanceof Error ? error.message : String(error) });
  parent.close();
});
