/** Filters that were saved under a name. They belong to the workspace, but are no part of its config file. */
import type { SavedFilters } from '../../contract/saved-filters.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { SettingStore } from '../store/ports/workspace.ts';
import { Kept } from './kept.ts';

const KEY = 'saved_filters';
const NONE: SavedFilters = { filters: [], hidden: [] };

export interface SavedFiltersDeps {
  readonly store: SettingStore;
  readonly write: Writer['write'];
  changed(): void;
}

export class KeptSavedFilters {
  readonly #store: SavedFiltersDeps['store'];
  readonly #kept: Kept<SavedFilters>;

  constructor({ store, write, changed }: SavedFiltersDeps) {
    this.#store = store;
    this.#kept = new Kept(write, () => store.get<SavedFilters>(KEY) ?? NONE, changed);
  }

  get all(): SavedFilters {
    return this.#kept.value;
  }

  async save(all: SavedFilters): Promise<SavedFilters> {
    await this.#kept.change((changes) => this.#store.save(KEY, all, changes));
    return this.all;
  }
}
