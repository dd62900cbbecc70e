/** The real engine on simulated ports behind a page of the built renderer, whose simulated time goes with the real one. */
import { setTimeout as delay } from 'node:timers/promises';
import { type PageServer, type PageServerOptions, startPageServer } from './page-server.ts';
import { type SimEngine, type SimEngineSetup, startSimEngine } from './sim-engine.ts';

/** Simulated time moves in steps of so many real milliseconds. */
const STEP_MS = 20;

export interface SimServer extends PageServer {
  readonly engine: SimEngine;
}

/** `before` happens in simulated time, while no window can connect. */
export async function startSimServer(
  setup: SimEngineSetup & PageServerOptions = {},
  before: (engine: SimEngine) => Promise<void> = async () => {},
): Promise<SimServer> {
  const engine = await startSimEngine(setup);
  await before(engine);
  const server = await startPageServer((channel) => engine.connect(channel), setup);
  const stop = goWithRealTime(engine);
  return {
    ...server,
    engine,
    close: async () => {
      await stop();
      await server.close();
    },
  };
}

/** Returns what ends it: time then stands still again. */
function goWithRealTime(engine: SimEngine): () => Promise<void> {
  let running = true;
  const run = async () => {
    let at = performance.now();
    while (running) {
      await delay(STEP_MS);
      const now = performance.now();
      await engine.pass(now - at);
      at = now;
    }
  };
  const ended = run();
  return () => {
    running = false;
    return ended;
  };
}
