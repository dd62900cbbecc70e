/** The fields that exports mask unless an export says otherwise. */
import type { Config } from '../../contract/config.ts';
import type { ExportSettings } from '../../contract/exchange.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { SettingStore } from '../store/ports/workspace.ts';
import { Kept } from './kept.ts';
import type { SettingsOwner } from './settings-owner.ts';

const KEY = 'exports';
const NONE: ExportSettings = { mask: [] };

export interface ExportSettingsDeps {
  readonly store: SettingStore;
  readonly write: Writer['write'];
  changed(): void;
}

export class KeptExportSettings implements SettingsOwner {
  readonly #store: ExportSettingsDeps['store'];
  readonly #kept: Kept<ExportSettings>;

  constructor({ store, write, changed }: ExportSettingsDeps) {
    this.#store = store;
    this.#kept = new Kept(write, () => store.get<ExportSettings>(KEY) ?? NONE, changed);
  }

  view(): ExportSettings {
    return this.#kept.value;
  }

  /** Replaces the whole list. A path that is given twice is kept once. */
  async save({ mask }: ExportSettings): Promise<ExportSettings> {
    await this.#kept.change((changes) => this.#store.save(KEY, { mask: [...new Set(mask)] }, changes));
    return this.view();
  }

  async take({ exports }: Config): Promise<void> {
    if (exports !== undefined) await this.save(exports);
  }

  give(): Config {
    return { exports: { mask: [...this.view().mask] } };
  }
}
