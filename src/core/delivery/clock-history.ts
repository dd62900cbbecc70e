/** Keeps what the retry clock showed at past wall times, across restarts, for whoever measures ages on it. */
import { type ClockStretch, withStretch } from '../model/clock-history.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { SettingStore } from '../store/ports/workspace.ts';

const KEY = 'clock_history';

export class ClockHistory {
  readonly #settings: SettingStore;
  readonly #listeners: Array<() => void> = [];
  #stretches: readonly ClockStretch[];

  /** `now` is the clock as it is; without a stored history it ran so before. */
  constructor(settings: SettingStore, now: ClockStretch) {
    this.#settings = settings;
    this.#stretches = settings.get<ClockStretch[]>(KEY) ?? [now];
  }

  /** Oldest first. */
  get stretches(): readonly ClockStretch[] {
    return this.#stretches;
  }

  /** Stores a new state of the clock, in the caller's transaction. One that says nothing new is left out. */
  add(state: ClockStretch, changes: Changes): void {
    if (continues(this.#stretches.at(-1), state)) return;
    this.#stretches = withStretch(this.#stretches, state);
    this.#settings.save(KEY, this.#stretches, changes);
  }

  /** `listener` runs after each change of the clock. */
  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the clock shows what it would show anyway. */
function continues(last: ClockStretch | undefined, { speed, paused, wallAt, clockAt }: ClockStretch): boolean {
  if (last === undefined || last.speed !== speed || last.paused !== paused) return false;
  const expected = paused ? last.clockAt : last.clockAt + (wallAt - last.wallAt) * speed;
  return Math.abs(expected - clockAt) < 1;
}
