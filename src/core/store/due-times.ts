/**
 * Whether the index of due times can be trusted. When it is damaged, due messages are found by a walk through the
 * table.
 */
export class DueTimes {
  #areTrusted = true;

  get areTrusted(): boolean {
    return this.#areTrusted;
  }

  /** Holds until the next start. */
  distrust(): void {
    this.#areTrusted = false;
  }
}
