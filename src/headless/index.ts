/** Entry of `npm run start:headless`: serves until it is stopped, and shows a taken ingest port in the interface. */
import { join } from 'node:path';
import backgroundWorker from '../core/engine/background-worker.ts?modulePath';
import enginePath from '../core/engine/engine-worker.ts?modulePath';
import { PreparedEngine } from '../core/engine/prepared-engine.ts';
import peopleWorker from '../core/people/people-worker.ts?modulePath';
import receiversWorker from '../core/receivers/receivers-worker.ts?modulePath';
import { keepCompiled } from '../shell/compile-cache.ts';

keepCompiled();
// The engine's thread loads while this one does.
const workerPath = new PreparedEngine(enginePath);
const { serve } = await import('./serve.ts');

const rendererFolder = join(import.meta.dirname, '../renderer');

process.exitCode = await serve(process.argv.slice(2), {
  workerPath,
  receiversWorker,
  peopleWorker,
  backgroundWorker,
  rendererFolder,
  requireIngest: false,
});
