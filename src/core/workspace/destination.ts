/** The Webhooks destination: its delivery rules, whether it sends, and the shared secret. */
import type { Config } from '../../contract/config.ts';
import { ContractError } from '../../contract/errors.ts';
import type { DestinationView } from '../../contract/values.ts';
import { failpoint } from '../failpoint.ts';
import type { DestinationSettings } from '../model/records.ts';
import { PROFILES, rulesOf } from '../model/rules.ts';
import { tailOf } from '../model/secret-tail.ts';
import type { ProfileName } from '../model/vocabulary.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import { SECRET_NAME, type SecretState, type WorkspaceStore } from '../store/ports/workspace.ts';
import { editedDestination } from './destination-edit.ts';
import { destinationView } from './destination-view.ts';
import { Kept } from './kept.ts';
import type { SettingsOwner, VariableNames } from './settings-owner.ts';

const DEFAULTS: DestinationSettings = { enabled: true, paused: false, caFile: null, ...PROFILES.documented };

export type DestinationEdit = Partial<DestinationSettings> & { readonly profile?: ProfileName | undefined };

/** The file of extra authorities, as `delivery/authorities.ts` reads it. */
export interface AuthoritiesFiles {
  /** Why the file cannot be used, or null. */
  check(path: string): string | null;
  /** PEM texts. The array stays the same until they change. */
  of(path: string | null): readonly string[];
  view(path: string | null): DestinationView['caFile'];
}

export interface DestinationDeps {
  readonly store: Pick<WorkspaceStore, 'settings' | 'secrets'>;
  readonly write: Writer['write'];
  readonly authorities: AuthoritiesFiles;
  changed(): void;
}

export class Destination implements SettingsOwner {
  readonly #deps: DestinationDeps;
  readonly #kept: Kept<{ readonly settings: DestinationSettings; readonly secret: SecretState }>;

  constructor(deps: DestinationDeps) {
    this.#deps = deps;
    const read = () => ({ settings: this.#stored(), secret: deps.store.secrets.get(SECRET_NAME) });
    this.#kept = new Kept(deps.write, read, deps.changed);
  }

  /**
   * Edits start from the stored value and not from the copy in memory, because another edit of the same turn may have
   * come first.
   */
  #stored(): DestinationSettings {
    return { ...DEFAULTS, ...this.#deps.store.settings.get<Partial<DestinationSettings>>('destination') };
  }

  get settings(): DestinationSettings {
    return this.#kept.value.settings;
  }

  get secret(): SecretState {
    return this.#kept.value.secret;
  }

  /** The secret to sign with. Null when none is configured, undefined when there is one that cannot be read. */
  signingSecret(): string | null | undefined {
    const { secret } = this;
    if (secret.state === 'none') return null;
    return secret.state === 'set' ? secret.value : undefined;
  }

  /** PEM texts to trust beside the known authorities. The array stays the same until they change. */
  trusted(): readonly string[] {
    return this.#deps.authorities.of(this.settings.caFile);
  }

  view(): DestinationView {
    return destinationView(this.settings, this.#deps.authorities.view(this.settings.caFile), secretView(this.secret));
  }

  /** Applies a profile, then the fields given beside it. Error `ca_file_invalid`. */
  async save(edit: DestinationEdit): Promise<void> {
    const problem = edit.caFile == null ? null : this.#deps.authorities.check(edit.caFile);
    if (problem !== null) throw new ContractError('ca_file_invalid', problem, 'caFile');
    await this.#kept.change((changes) => this.#store(edit, changes));
  }

  #store(edit: Parameters<typeof editedDestination>[1], changes: Changes): void {
    this.#deps.store.settings.save('destination', editedDestination(this.#stored(), edit), changes);
  }

  /** Null turns signing off. */
  async setSecret(secret: string | null): Promise<void> {
    await this.#kept.change((changes) => {
      this.#deps.store.secrets.save(SECRET_NAME, secret, changes);
      failpoint('secret_written');
    });
  }

  // The config file

  async take({ webhooks = {} }: Config): Promise<void> {
    const { sharedSecret, entries: _, ...edit } = webhooks;
    await this.#kept.change((changes) => {
      this.#store(edit, changes);
      if (typeof sharedSecret === 'string') this.#deps.store.secrets.save(SECRET_NAME, sharedSecret, changes);
    });
  }

  give(variables: VariableNames): Config {
    const { enabled, paused, caFile } = this.settings;
    const { retry, retryOn, ...rules } = rulesOf(this.settings);
    const { waitsMs, ...exponential } = retry;
    return {
      webhooks: {
        enabled,
        paused,
        ...(this.secret.state !== 'none' && { sharedSecret: { env: variables.of('WEBHOOK', 'SECRET') } }),
        ...rules,
        retry: { ...exponential, ...(waitsMs && { waitsMs: [...waitsMs] }) },
        retryOn: [...retryOn],
        caFile,
      },
    };
  }
}

function secretView(secret: SecretState): DestinationView['secret'] {
  if (secret.state !== 'set') return { state: secret.state };
  return { state: 'set', last2: tailOf(secret.value), length: secret.value.length };
}
