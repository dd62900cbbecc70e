/** How long a row counts as just entered, for the fade of design/ui, section 3. */
const ENTERED_MS = 600;

/** Which rows entered the list a moment ago. */
export class Entered {
  readonly #at = new Map<number, number>();

  add(ids: readonly number[], now: number): void {
    for (const [id, at] of this.#at) if (now - at >= ENTERED_MS) this.#at.delete(id);
    for (const id of ids) this.#at.set(id, now);
  }

  has(id: number, now: number): boolean {
    const at = this.#at.get(id);
    return at !== undefined && now - at < ENTERED_MS;
  }
}
