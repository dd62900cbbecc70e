/** How ingest accepts calls, and its port. */
import type { Config } from '../../contract/config.ts';
import type { IngestSettingsView } from '../../contract/values.ts';
import type { IngestSettings } from '../model/records.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { SettingStore } from '../store/ports/workspace.ts';
import { type Edit, given, Kept } from './kept.ts';
import type { SettingsOwner } from './settings-owner.ts';

type Stored = IngestSettings & { readonly port: number };

const DEFAULTS: Stored = {
  mode: 'segment',
  acceptAnyKey: false,
  dedupe: true,
  correctEveryTimestamp: false,
  port: 8765,
};

export interface IngestSettingsDeps {
  readonly store: SettingStore;
  readonly write: Writer['write'];
  changed(): void;
}

export class KeptIngestSettings implements SettingsOwner {
  readonly #store: IngestSettingsDeps['store'];
  readonly #kept: Kept<Stored>;
  /** Wins over the stored setting for this run, until the user saves the setting. */
  #acceptAnyKey: boolean | undefined;

  constructor({ store, write, changed }: IngestSettingsDeps) {
    this.#store = store;
    this.#kept = new Kept(write, () => this.#stored(), changed);
  }

  #stored(): Stored {
    return { ...DEFAULTS, ...this.#store.get<Partial<Stored>>('ingest') };
  }

  /** The port that a start listens on by default. */
  get port(): number {
    return this.#kept.value.port;
  }

  /** The settings in force. */
  get settings(): IngestSettings {
    const { value } = this.#kept;
    return this.#acceptAnyKey === undefined ? value : { ...value, acceptAnyKey: this.#acceptAnyKey };
  }

  view(): IngestSettingsView {
    const { mode, acceptAnyKey, dedupe, correctEveryTimestamp } = this.settings;
    return { mode, acceptAnyKey, dedupe, correctEveryTimestamp, port: this.port };
  }

  /** Chosen for this run, until the user saves another choice. */
  acceptAnyKeyForNow(accept: boolean): void {
    this.#acceptAnyKey = accept;
  }

  async save(edit: Edit<Stored>): Promise<void> {
    await this.#kept.change((changes) => this.#store.save('ingest', { ...this.#stored(), ...given(edit) }, changes));
    if (edit.acceptAnyKey !== undefined) this.#acceptAnyKey = undefined;
  }

  // The config file

  async take({ ingest = {} }: Config): Promise<void> {
    const { mode, acceptAnyKey, dedupe, correctEveryTimestamp, port } = ingest;
    await this.save({ mode, acceptAnyKey, dedupe, correctEveryTimestamp, port });
  }

  give(): Config {
    const { port, mode, acceptAnyKey, dedupe, correctEveryTimestamp } = this.#kept.value;
    return { ingest: { port, mode, acceptAnyKey, dedupe, correctEveryTimestamp } };
  }
}
