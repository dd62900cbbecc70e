/** The ports that Hookbench listens on now. The listeners write them; answers name them, and no webhook may lead there. */
export class OpenPorts {
  /** Null while the listener does not listen. */
  http: number | null = null;
  https: number | null = null;
  readonly #ui: number | null;

  /** `ui` is where the shell shows the interface. */
  constructor(ui: number | undefined) {
    this.#ui = ui ?? null;
  }

  all(): number[] {
    return [this.http, this.https, this.#ui].filter((port) => port !== null);
  }
}
