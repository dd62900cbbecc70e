/** Entry of `hookbench`, started by bin/hookbench.mjs. */
import { join } from 'node:path';
import workerPath from '../core/engine/engine-worker.ts?modulePath';
import peopleWorker from '../core/people/people-worker.ts?modulePath';
import receiversWorker from '../core/receivers/receivers-worker.ts?modulePath';
import searchWorker from '../core/search/search-worker.ts?modulePath';
import { runCli } from './run.ts';

process.exitCode = await runCli(process.argv.slice(2), {
  workerPath,
  receiversWorker,
  peopleWorker,
  searchWorker,
  rendererFolder: join(import.meta.dirname, '../renderer'),
  // Loaded only when it is asked for: serving must not load SQLite into this thread.
  openOffline: async (workspace) => (await import('../core/engine/offline.ts')).openOffline(workspace),
});
