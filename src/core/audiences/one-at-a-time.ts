/** Runs a job for each key, one at a time. All who ask while one is under way share the next. */
export class OneAtATime<K> {
  readonly #job: (key: K) => Promise<void>;
  readonly #underWay = new Map<K, Promise<void>>();
  readonly #next = new Map<K, Promise<void>>();

  constructor(job: (key: K) => Promise<void>) {
    this.#job = job;
  }

  /** Resolves after a job that began now or later. Rejects as that job does. */
  run(key: K): Promise<void> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting;
    const underWay = this.#underWay.get(key);
    if (underWay === undefined) return this.#begin(key);
    const next = underWay.catch(() => {}).then(() => this.#begin(key));
    this.#next.set(key, next);
    return next;
  }

  /** Resolves when every job that was asked for is over. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values(), ...this.#next.values()]);
  }

  #begin(key: K): Promise<void> {
    this.#next.delete(key);
    const job = this.#job(key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, job);
    return job;
  }
}
