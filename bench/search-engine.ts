/** An engine in the benchmark's own process, with the search index in its thread and no webhook. */
import { Engine } from '../src/core/engine/engine.ts';
import type { Sealer } from '../src/core/ports.ts';
import { realPorts } from './real-ports.ts';

const PLENTY = 1_000_000_000_000;

export async function startSearchEngine(folder: string, sealer: Sealer): Promise<{ engine: Engine; port: number }> {
  const engine = new Engine(
    {
      workspace: folder,
      version: 'bench',
      shell: 'headless',
      ingestPort: 0,
      controlSocket: false,
      backgroundWorker: new URL('../src/core/engine/background-worker.ts', import.meta.url),
      config: {
        sources: [{ name: 'bench', writeKey: 'bench', kind: 'server', enabled: true, webhooks: true }],
        storage: { maxMessages: 100_000_000, maxBytes: PLENTY },
      },
    },
    realPorts(sealer),
  );
  const info = await engine.start();
  return { engine, port: info.listener.port };
}
