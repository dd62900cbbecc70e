/** The first run: the page until the first message, and the notice when the first event arrives. */
import { useEffect, useRef } from 'react';
import { useDemo } from '../../frame/demo/use-demo.ts';
import { formatDuration, formatSpan } from '../../lib/format.ts';
import { rejectText } from '../../lib/words/rejections.ts';
import { isEmpty } from '../../stores/live/filter.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream, useLiveValue } from '../../stores/live/store.ts';
import { getRow, useRecords } from '../../stores/records.ts';
import { navigate, useRouteStore } from '../../stores/route.ts';
import { showToast } from '../../stores/toasts.ts';

/**
 * True while there is nothing to show. When the first row arrives, it is selected. A rejected call is reported as
 * rejected, because the first event is the first accepted one. When there is no webhook, a banner of the frame says so
 * and offers to add one.
 */
export function useFirstRun(): boolean {
  const stored = useRecords((state) => state.status?.total ?? 0);
  const accepted = useRecords(({ status }) => (status === undefined ? 0 : status.total - status.counts.rejected));
  const nothing = useLiveValue(showsNothing);
  const firstRun = stored === 0 && nothing;
  const hasRows = useLiveValue(({ count }) => count > 0);
  const inDemo = useDemo() !== null;
  const since = useRef<number | null>(null);
  const led = useRef(false);
  useEffect(() => {
    // The tour leads there; nobody waits for a first event of their own.
    if (inDemo) return;
    if (firstRun) {
      since.current ??= Date.now();
      led.current = false;
    }
    if (since.current === null) return;
    if (hasRows && !led.current) {
      led.current = true;
      lead(accepted === 0);
    }
    if (accepted === 0) return;
    const ms = Date.now() - since.current;
    showToast({ title: `First event received after ${ms < 1000 ? formatDuration(ms) : formatSpan(ms)}.` });
    since.current = null;
  }, [inDemo, firstRun, hasRows, accepted]);
  return firstRun;
}

/** The list has no row, and neither a filter nor the user hides any. */
const showsNothing = ({ phase, count, held, cleared, read }: LiveSnapshot): boolean =>
  phase === 'ready' && count === 0 && held === 0 && cleared === 0 && isEmpty(read);

/** Selects the first row; `rejected` while nothing was accepted. */
function lead(rejected: boolean): void {
  const id = liveStream.snapshot().list.idAt(0);
  if (id === undefined) return;
  const row = getRow(id);
  if (rejected && row?.state === 'rejected')
    showToast({ title: 'The first call was rejected.', body: rejectText(row.reason, row.reasonDetail) });
  const wide = window.matchMedia?.('(min-width: 1024px)').matches ?? true;
  if (wide && isUndecided())
    navigate({ screen: 'live', messageId: id, tab: 'attempts', full: false }, { replace: true });
}

/** True while the user has not opened a message by a link or an edited address. */
function isUndecided(): boolean {
  const { route } = useRouteStore.getState();
  return route.screen === 'live' && route.messageId === null;
}
