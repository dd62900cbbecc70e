/** Whether the index of due times can be trusted. Where it is damaged, what is due is found by a walk through the table. */
export class DueTimes {
  #areTrusted = true;

  get areTrusted(): boolean {
    return this.#areTrusted;
  }

  /** For the rest of this life. */
  distrust(): void {
    this.#areTrusted = false;
  }
}
