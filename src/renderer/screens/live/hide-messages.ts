import { plural } from '../../lib/format.ts';
import { liveStream } from '../../stores/live/store.ts';
import { showToast } from '../../stores/toasts.ts';

/** How long Undo is offered, in milliseconds. */
export const UNDO_MS = 10_000;

/** Takes messages out of the list and offers Undo. Nothing is deleted. */
export function hideMessages(ids: readonly number[]): void {
  const undo = liveStream.hide(ids);
  showToast({
    title: `${plural(ids.length, 'message')} hidden`,
    body: 'Nothing was deleted.',
    action: { label: 'Undo', run: undo },
    durationMs: UNDO_MS,
  });
}
