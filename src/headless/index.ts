/** Entry of `npm run start:headless`: serves until it is stopped, and shows a taken ingest port in the interface. */
import { join } from 'node:path';
import workerPath from '../core/engine/engine-worker.ts?modulePath';
import peopleWorker from '../core/people/people-worker.ts?modulePath';
import receiversWorker from '../core/receivers/receivers-worker.ts?modulePath';
import searchWorker from '../core/search/search-worker.ts?modulePath';
import { serve } from './serve.ts';

const rendererFolder = join(import.meta.dirname, '../renderer');

process.exitCode = await serve(process.argv.slice(2), {
  workerPath,
  receiversWorker,
  peopleWorker,
  searchWorker,
  rendererFolder,
  requireIngest: false,
});
