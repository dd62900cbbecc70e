/** Decides when the page draws its first screen. */
import { liveStream } from './stores/live/store.ts';
import { useRecords } from './stores/records.ts';
import { useRouteStore } from './stores/route.ts';

/**
 * The longest time that the page waits for the engine, in milliseconds. In traces the rows came 30 to 90 ms after the
 * page's code had run. A page that did not wait was drawn three times and had its rows 50 ms later.
 */
const WAIT_MS = 150;

/** Whether everything that the first screen shows is there, or will not come. */
function isThere(): boolean {
  const { ready, connection } = useRecords.getState();
  if (!ready) return connection === 'lost' || connection === 'refused';
  const { phase, failure } = liveStream.snapshot();
  return useRouteStore.getState().route.screen !== 'live' || phase === 'ready' || failure !== null;
}

/** Calls `run` once: when the first screen has everything that it shows, or after the longest wait. */
export function onFirstNews(run: () => void): void {
  const ends: (() => void)[] = [];
  const end = (): void => {
    for (const stop of ends.splice(0)) stop();
    run();
  };
  const look = (): void => {
    if (ends.length > 0 && isThere()) end();
  };
  const timer = setTimeout(end, WAIT_MS);
  ends.push(() => clearTimeout(timer), useRecords.subscribe(look), liveStream.subscribe(look));
  look();
}
