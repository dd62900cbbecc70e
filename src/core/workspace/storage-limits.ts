/** The storage limits. */
import type { Config } from '../../contract/config.ts';
import { DEFAULT_STORAGE, type StorageLimits } from '../model/retention.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { SettingStore } from '../store/ports/workspace.ts';
import { type Edit, given, Kept } from './kept.ts';
import type { SettingsOwner } from './settings-owner.ts';

export interface StorageLimitsDeps {
  readonly store: SettingStore;
  readonly write: Writer['write'];
  changed(): void;
}

export class KeptStorageLimits implements SettingsOwner {
  readonly #store: StorageLimitsDeps['store'];
  readonly #kept: Kept<StorageLimits>;

  constructor({ store, write, changed }: StorageLimitsDeps) {
    this.#store = store;
    this.#kept = new Kept(write, () => this.#stored(), changed);
  }

  #stored(): StorageLimits {
    return { ...DEFAULT_STORAGE, ...this.#store.get<Partial<StorageLimits>>('storage') };
  }

  get limits(): StorageLimits {
    return this.#kept.value;
  }

  async save(edit: Edit<StorageLimits>): Promise<void> {
    await this.#kept.change((changes) => this.#store.save('storage', { ...this.#stored(), ...given(edit) }, changes));
  }

  async take({ storage }: Config): Promise<void> {
    if (storage !== undefined) await this.save(storage);
  }

  give(): Config {
    const { maxMessages, maxBytes, maxAgeDays } = this.limits;
    return { storage: { maxMessages, maxBytes, maxAgeDays } };
  }
}
