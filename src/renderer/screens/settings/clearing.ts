/** Deletes finished messages. One run at a time, which continues when the user leaves the screen. */
import { create } from 'zustand';
import type { CommandOutput } from '../../../contract/commands.ts';
import { plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';

export interface Clearing {
  readonly removed: number;
  /** How many were finished when it began. */
  readonly of: number;
  readonly stopping: boolean;
}

export const useClearing = create<{ now: Clearing | null }>()(() => ({ now: null }));

const change = (part: Partial<Clearing>): void =>
  useClearing.setState(({ now }) => ({ now: now === null ? null : { ...now, ...part } }));

/** Messages removed so far stay deleted. */
export const stopClearing = (): void => change({ stopping: true });

/** Repeats until all messages that were finished at the start are deleted. */
export async function clearFinished(of: number): Promise<void> {
  if (useClearing.getState().now !== null) return;
  useClearing.setState({ now: { removed: 0, of, stopping: false } });
  let removed = 0;
  let next: CommandOutput<'storage.clear'>['next'] | undefined;
  try {
    do {
      const part = await call('storage.clear', next ?? {});
      removed += part.removed;
      next = part.next;
      change({ removed });
    } while (next !== null && useClearing.getState().now?.stopping === false);
    tell(removed, next === null);
  } catch (error) {
    showFailure(removed === 0 ? 'delete the messages' : `delete more than ${plural(removed, 'message')}`, error);
  } finally {
    useClearing.setState({ now: null });
  }
}

function tell(removed: number, done: boolean): void {
  if (!done) return showToast({ title: `Stopped after ${plural(removed, 'message')}` });
  if (removed > 0) return showToast({ title: `Deleted ${plural(removed, 'message')}` });
  showToast({ title: 'Nothing to delete', body: 'The newest message always stays.' });
}
