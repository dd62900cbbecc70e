/** An engine in the benchmark's own process, over a filled store, with people in their thread and one webhook. */
import { Engine } from '../src/core/engine/engine.ts';
import type { Sealer } from '../src/core/ports.ts';
import { KEY } from './people-store.ts';
import { realPorts } from './real-ports.ts';

export interface EngineToStart {
  readonly folder: string;
  readonly sealer: Sealer;
  /** Where the webhook listens. */
  readonly webhook: number;
  /** The source of the thread of people. */
  readonly worker: URL;
}

export interface StartedEngine {
  readonly engine: Engine;
  readonly port: number;
  /** From opening the store to listening. */
  readonly listeningMs: number;
}

const PLENTY = 1_000_000_000_000;

export async function startPeopleEngine(given: EngineToStart): Promise<StartedEngine> {
  const { folder, sealer, webhook, worker } = given;
  const startedAt = performance.now();
  const engine = new Engine(
    {
      workspace: folder,
      version: 'bench',
      shell: 'headless',
      ingestPort: 0,
      controlSocket: false,
      peopleWorker: worker,
      config: {
        sources: [{ name: 'bench', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
        webhooks: { entries: [{ name: 'one', url: `http://127.0.0.1:${webhook}/`, headers: {}, enabled: true }] },
        storage: { maxMessages: 100_000_000, maxBytes: PLENTY },
      },
    },
    realPorts(sealer),
  );
  const info = await engine.start();
  return { engine, port: info.listener.port, listeningMs: performance.now() - startedAt };
}
