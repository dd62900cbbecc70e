/** A stored value kept in memory. A change is committed first and then taken over. */
import type { Changes, Writer } from '../store/ports/changes.ts';

export class Kept<T> {
  readonly #write: Writer['write'];
  readonly #read: () => T;
  readonly #changed: () => void;
  #value: T;

  /** `read` reads the whole value from the store. `changed` runs after each change. */
  constructor(write: Writer['write'], read: () => T, changed: () => void) {
    this.#write = write;
    this.#read = read;
    this.#changed = changed;
    this.#value = read();
  }

  get value(): T {
    return this.#value;
  }

  /**
   * Runs `job` in a transaction and reads the new value in the same one. Reading it afterwards could fail, and then
   * memory would differ from the store.
   */
  async change<R>(job: (changes: Changes) => R): Promise<R> {
    const { result, value } = await this.#write((changes) => ({ result: job(changes), value: this.#read() }));
    this.#value = value;
    this.#changed();
    return result;
  }
}

/** The fields of an edit that were given. */
export const given = <T extends object>(edit: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) as never;

/** An edit of `T`. Fields that are left out or undefined stay as they are. */
export type Edit<T> = { readonly [K in keyof T]?: T[K] | undefined };
