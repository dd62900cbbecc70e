/** What the first screen waits for before it is drawn at all. */
import { liveStream } from './stores/live/store.ts';
import { useRecords } from './stores/records.ts';
import { useRouteStore } from './stores/route.ts';

/**
 * The most that the first screen waits, in milliseconds. The greeting and the rows come within 30 to 90 ms of the code,
 * and drawing the page without them and then twice more takes some 80 ms longer than to wait for them.
 */
const WAIT_MS = 150;

/** Whether the screen of the address can be drawn with what it shows, or nothing will come. */
function isThere(): boolean {
  const { ready, connection } = useRecords.getState();
  if (!ready) return connection === 'lost' || connection === 'refused';
  const { phase, failure } = liveStream.snapshot();
  return useRouteStore.getState().route.screen !== 'live' || phase === 'ready' || failure !== null;
}

/** Runs once, as soon as the first screen has what it shows, or after the longest wait. */
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
