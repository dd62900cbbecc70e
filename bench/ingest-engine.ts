/**
 * The engine in its worker thread, with the background thread that the shells give it, one source
 * and no webhooks. From sources: no build needed.
 */
import { join } from 'node:path';

/** `core`: folder of the engine's sources, so that two versions can be measured in one run. */
const [folder, core] = process.argv.slice(2) as [string, string];
const { startEngineThread } = (await import(
  join(core, 'engine/engine-thread.ts')
)) as typeof import('../src/core/engine/engine-thread.ts');

const engine = await startEngineThread(join(core, 'engine/engine-worker.ts'), {
  workspace: join(folder, 'workspace'),
  version: '0.0.0-bench',
  shell: 'headless',
  secretKeyBase64: Buffer.alloc(32, 7).toString('base64'),
  config: {
    sources: [{ name: 'bench', writeKey: 'bench', kind: 'server', enabled: true, webhooks: true }],
    // Nothing goes while it is measured.
    storage: { maxMessages: 100_000_000, maxBytes: 1024 ** 4 },
  },
  ingestPort: 0,
  controlSocket: false,
  backgroundWorker: join(core, 'engine/background-worker.ts'),
});
console.log(JSON.stringify({ port: engine.info.listener.port }));
process.on('SIGTERM', () => void engine.stop().then(() => process.exit(0)));
