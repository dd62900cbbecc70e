/** Decides when queued calls are sent (client specification, section 2.1: FlushAt, FlushAfter). Pure. */

/**
 * The moment of the next flush by time: `flushAfterMs` since the last one. An interval in which nothing was queued
 * passes like a flush, so a message waits at most `flushAfterMs`, also after a long silence.
 * With 5,000 and a flush at 0: at 0 or 4,999 the next flush is at 5,000; at 5,000 it is at 10,000.
 */
export function nextFlushAt(lastFlushAt: number, now: number, flushAfterMs: number): number {
  const passed = Math.max(0, Math.floor((now - lastFlushAt) / flushAfterMs));
  return lastFlushAt + (passed + 1) * flushAfterMs;
}
