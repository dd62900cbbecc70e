/** The engine's side of `background-worker.ts`. */
import { SharedThread } from '../adapters/shared-thread.ts';

/** The newest segment of the search index has 2 MB, and what is read of it as much. */
const OLD_MB = 128;

/** The search index reads a block of messages at a time, and then forgets it. */
const YOUNG_MB = 4;

/** `workerPath` is the built or source path of `background-worker.ts`. */
export const backgroundThread = (workerPath: string | URL): SharedThread =>
  new SharedThread({ path: workerPath, oldMb: OLD_MB, youngMb: YOUNG_MB, ended: 'The background thread ended.' });
