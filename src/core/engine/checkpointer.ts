/** The way to the part of the background thread that moves the store's log into its main file. */
import type { SharedThread } from '../adapters/shared-thread.ts';
import { storePath } from '../store/database.ts';
import type { CheckpointPass, OpenCheckpointer } from '../store/ports/store.ts';

/** `workspace` is the folder of the open store. */
export function checkpointer(thread: SharedThread, workspace: string): OpenCheckpointer {
  const open = thread.part<{ readonly type: 'pass' }, CheckpointPass | null>('log', { path: storePath(workspace) });
  return ({ passed, ended }) => {
    const link = open({ heard: passed, ended });
    return { pass: () => link.say({ type: 'pass' }), stop: () => link.stop() };
  };
}
