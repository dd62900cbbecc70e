/** When what is queued is sent (client specification, section 2.1: FlushAt, FlushAfter). Pure. */

/**
 * The moment of the next flush by time: `flushAfterMs` since the last one. An interval in which nothing was queued
 * passes like a flush, so a message waits at most `flushAfterMs`, also after a long silence.
 * With 5,000 and a flush at 0: asked at 0 or 4,999 it is 5,000; asked at 5,000 it is 10,000.
 */
export function nextFlushAt(lastFlushAt: number, now: number, flushAfterMs: number): number {
  const passed = Math.max(0, Math.floor((now - lastFlushAt) / flushAfterMs));
  return lastFlushAt + (passed + 1) * flushAfterMs;
}
