/** The user's actions on the retry clock: speed, pause, step. Each reports what it did. */
import type { MessageRow } from '../../contract/values.ts';
import { clockTime } from '../lib/clock.ts';
import { formatSpan } from '../lib/format.ts';
import { call } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import { showFailure, showToast } from '../stores/toasts.ts';

export const SPEEDS = [1, 10, 60, 240] as const;
export type Speed = (typeof SPEEDS)[number];
export const speedLabel = (speed: number): string => `${speed}\u00d7`;

/** How many rows are searched for the message that a step leads to. */
const LOOKED_AT = 200;
const MAX_NAME = 60;

/** Sets the speed, which also resumes a paused clock, and offers Undo. */
export async function setSpeed(speed: Speed, undo = true): Promise<void> {
  const before = useRecords.getState().clock;
  if (before.speed === speed) return;
  try {
    applyAnswer({ clock: await call('clock.setSpeed', { speed }) });
    showToast({
      title: `Retry clock at ${speedLabel(speed)}`,
      body: 'Waits between rounds are scaled. The response time limit stays in real time.',
      action: undo ? { label: 'Undo', run: () => void backTo(before.speed as Speed, before.paused) } : undefined,
    });
  } catch (error) {
    showFailure('change the retry clock', error);
  }
}

async function backTo(speed: Speed, paused: boolean): Promise<void> {
  await setSpeed(speed, false);
  if (paused) await setClockPaused(true);
}

/** One step slower or faster, for the keys - and =. */
export function stepSpeed(by: 1 | -1): void {
  const at = SPEEDS.indexOf(useRecords.getState().clock.speed as Speed);
  const next = SPEEDS[Math.max(0, at) + by];
  if (next !== undefined) void setSpeed(next);
}

export async function setClockPaused(paused: boolean): Promise<void> {
  try {
    applyAnswer({ clock: await call(paused ? 'clock.pause' : 'clock.resume') });
  } catch (error) {
    showFailure(paused ? 'pause the retry clock' : 'resume the retry clock', error);
  }
}

export const toggleClock = (): void => void setClockPaused(!useRecords.getState().clock.paused);

/** Why there is nothing to step to, or null. */
export const whyNoStep = (nextDueAt: number | null | undefined): string | null =>
  nextDueAt === null || nextDueAt === undefined ? 'No message waits for a round.' : null;

/** Jumps ahead to the next planned round and says how far that was. */
export async function stepClock(): Promise<void> {
  const { clock, status } = useRecords.getState();
  if (whyNoStep(status?.nextDueAt) !== null) return;
  try {
    const waiting = await waitingRows();
    const from = clockTime(clock, Date.now());
    const after = await call('clock.step');
    applyAnswer({ clock: after });
    const rows = waiting.filter(
      (row) => row.nextDueAt !== null && row.nextDueAt <= after.clockAt && row.nextDueAt > from,
    );
    showToast({ title: `Stepped ${spanOfStep(after.clockAt - from)} to ${targetOf(rows)}` });
  } catch (error) {
    showFailure('step to the next round', error);
  }
}

/** Some of the waiting rows: enough in most cases to name the message of the next round. */
async function waitingRows(): Promise<MessageRow[]> {
  try {
    return (
      await call('messages.list', { filter: { terms: [{ key: 'status', values: ['retrying'] }] }, limit: LOOKED_AT })
    ).rows;
  } catch {
    return [];
  }
}

const spanOfStep = (ms: number): string =>
  formatSpan(ms < 1_000 ? Math.max(0, Math.round(ms)) : Math.round(ms / 1_000) * 1_000);

/** `round 3 of Order Completed`, or `the next round` when its message is unknown or several rounds start at once. */
function targetOf(rows: readonly MessageRow[]): string {
  const [row] = rows;
  if (row === undefined || rows.length > 1) return 'the next round';
  const round = `round ${row.round + 1}`;
  return row.name === '' ? round : `${round} of ${row.name.slice(0, MAX_NAME)}`;
}
