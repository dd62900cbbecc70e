/**
 * Notices an engine that is there but does not answer, for example because its process was stopped: its channel stays
 * open, and nothing else would tell. Whoever heard nothing for 5 s asks it something, and an engine that says nothing
 * for another 5 s is silent.
 */
export const ASK_AFTER_MS = 5_000;
export const SILENT_AFTER_MS = 5_000;

export class SilenceWatch {
  readonly #ask: () => void;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: () => void, onSilence: () => void) {
    this.#ask = ask;
    this.#onSilence = onSilence;
  }

  /** Something came from the engine, so all is well for a while. */
  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wonder(), ASK_AFTER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wonder(): void {
    this.#timer = setTimeout(this.#onSilence, SILENT_AFTER_MS);
    this.#ask();
  }
}
