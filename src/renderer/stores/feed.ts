/**
 * The only place where the engine's news reach the stores: first the records, then the live list, which reads its rows
 * from the records.
 */
import { setTimeZone } from '../lib/format.ts';
import type { Feed } from '../platform/connect.ts';
import { liveStream } from './live/store.ts';
import { applyBatch, applyConnection, applyHello, useRecords } from './records.ts';
import { useView } from './view.ts';

export const feed: Feed = {
  greeted(hello) {
    const anew = applyHello(hello);
    liveStream.connected(hello.parts.status.total, anew);
  },
  changed(batch) {
    applyBatch(batch);
    liveStream.batch(batch);
  },
  connection: applyConnection,
};

/** Formats times in the chosen zone. Another zone has other day boundaries, so the live list starts again. */
export function watchTimeZone(): () => void {
  setTimeZone(useView.getState().timeZone);
  return useView.subscribe(({ timeZone }, before) => {
    if (timeZone === before.timeZone) return;
    setTimeZone(timeZone);
    const { status } = useRecords.getState();
    if (status !== undefined) liveStream.connected(status.total, true);
  });
}
