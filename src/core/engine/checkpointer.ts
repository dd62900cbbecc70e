/** The thread that moves the store's log into its main file. */
import { threadLink } from '../adapters/thread-link.ts';
import { storePath } from '../store/database.ts';
import type { CheckpointPass, OpenCheckpointer } from '../store/ports/store.ts';

const OLD_MB = 16;
const YOUNG_MB = 4;

/** `workerPath` is the built or source path of `checkpoint-worker.ts`, `workspace` the folder of the open store. */
export const checkpointer =
  (workerPath: string | URL, workspace: string): OpenCheckpointer =>
  ({ passed, ended }) => {
    const open = threadLink<{ readonly type: 'pass' }, CheckpointPass | null>({
      path: workerPath,
      data: { path: storePath(workspace) },
      oldMb: OLD_MB,
      youngMb: YOUNG_MB,
      ended: 'The thread that moves the log ended.',
    });
    const link = open({ heard: passed, ended });
    return { pass: () => link.say({ type: 'pass' }), stop: () => link.stop() };
  };
