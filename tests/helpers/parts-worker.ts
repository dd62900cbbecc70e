/** A thread of {@link serveParts} for tests. Every part says in which thread it is. `told` also says what it heard, and counts the thread's exit in `exits`. */
import { threadId } from 'node:worker_threads';
import { serveParts } from '../../src/core/adapters/shared-thread.ts';

serveParts({
  told: ({ exits }: { readonly exits?: Int32Array }, say) => ({
    start: () => {
      if (exits !== undefined) process.once('exit', () => Atomics.add(exits, 0, 1));
      say({ threadId });
    },
    receive: (message: { readonly text: string }) => say({ threadId, heard: message.text }),
    stop: () => say({ threadId, heard: 'stop' }),
  }),
  thrower: ({ when }: { readonly when?: 'made' | 'started' | 'heard' | 'stopped' }, say) => {
    const at = (moment: string): void => {
      if (moment === when) throw new Error(`thrown when ${when}`);
    };
    at('made');
    return {
      start: () => {
        at('started');
        say({ threadId });
      },
      receive: () => at('heard'),
      stop: () => at('stopped'),
    };
  },
});
