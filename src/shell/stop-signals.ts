/** Runs `stop` once when the process is asked to end, or when the process that started it has ended. */

const SECOND_REQUEST_MS = 1_000;

/** True for a real second request; false for the first one that arrived twice. */
export const isAskedAgain = (askedAt: number, now: number): boolean => now - askedAt > SECOND_REQUEST_MS;

/**
 * A terminal's Ctrl-C reaches this process and its launcher, which passes it on: a second signal within a
 * second is the same request; a later one ends the process at once.
 */
export function onStopRequest(stop: (reason: string) => Promise<void>): void {
  let askedAt: number | null = null;
  const ask = (reason: string): void => {
    if (askedAt === null) {
      askedAt = performance.now();
      void stop(reason);
    } else if (isAskedAgain(askedAt, performance.now())) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ask(signal));
  // The launchers keep an IPC channel open; it closes however they end, SIGKILL included.
  if (process.channel === undefined) return;
  process.on('disconnect', () => {
    // This is not a second request: a stop that is under way goes on without its launcher.
    if (askedAt === null) ask('disconnect');
  });
  process.channel.unref();
}
