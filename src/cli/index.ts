/** Entry of `hookbench`, started by bin/hookbench.mjs. Loads the rest after the compile cache is on. */
import { join } from 'node:path';
import backgroundWorker from '../core/engine/background-worker.ts?modulePath';
import enginePath from '../core/engine/engine-worker.ts?modulePath';
import { PreparedEngine } from '../core/engine/prepared-engine.ts';
import peopleWorker from '../core/people/people-worker.ts?modulePath';
import receiversWorker from '../core/receivers/receivers-worker.ts?modulePath';
import { keepCompiled } from '../shell/compile-cache.ts';

keepCompiled();
const argv = process.argv.slice(2);
// The engine's thread loads while this one does.
const workerPath = argv[0] === 'serve' ? new PreparedEngine(enginePath) : enginePath;
const { runCli } = await import('./run.ts');

process.exitCode = await runCli(argv, {
  workerPath,
  receiversWorker,
  peopleWorker,
  backgroundWorker,
  rendererFolder: join(import.meta.dirname, '../renderer'),
  // Loaded only when it is asked for: serving must not load SQLite into this thread.
  openOffline: async (workspace) => (await import('../core/engine/offline.ts')).openOffline(workspace),
});
