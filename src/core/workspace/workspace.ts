/**
 * The workspace in memory: sources, webhooks, destination, ingest settings. Every value is what the store holds;
 * a change is committed first and then taken over. Implements what ingest asks of it.
 */
import type { Config } from '../../contract/config.ts';
import { ContractError } from '../../contract/errors.ts';
import type { LivePart } from '../../contract/live.ts';
import { MAX_EVENTS_OFF } from '../../contract/names.ts';
import type { DestinationView, IngestSettingsView } from '../../contract/values.ts';
import { failpoint } from '../failpoint.ts';
import type { DestinationSettings, IngestSettings, Source, SourceKind } from '../model/records.ts';
import { DEFAULT_STORAGE, type StorageLimits } from '../model/retention.ts';
import { PROFILES, type ProfileName } from '../model/rules.ts';
import { tailOf } from '../model/secret-tail.ts';
import { secretNames } from '../model/static-headers.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import { SECRET_NAME, type SecretState, type StoredWebhook, type WorkspaceStore } from '../store/workspace.ts';
import { editedDestination } from './destination-edit.ts';
import { destinationView } from './destination-view.ts';
import { checkWebhook, type WebhookEdit } from './webhook-edit.ts';
import { checkConfig, takeConfig } from './workspace-config.ts';

export const MAX_WEBHOOKS = 5;
/** Sources that `acceptAnyKey` may make by itself (decisions, Ingest). */
const MAX_MADE_BY_KEY = 50;
export const UNREADABLE_HEADERS =
  'The static headers of this webhook cannot be read with the key of this workspace. Remove it and add it again.';

const DEFAULT_DESTINATION: DestinationSettings = {
  enabled: true,
  paused: false,
  caFile: null,
  ...PROFILES.documented,
};
const DEFAULT_INGEST: IngestSettings & { port: number } = {
  mode: 'segment',
  acceptAnyKey: false,
  dedupe: true,
  correctEveryTimestamp: false,
  port: 8765,
};

export interface SourceEdit {
  readonly id?: number;
  readonly name: string;
  readonly writeKey?: string;
  readonly kind: SourceKind;
  readonly enabled: boolean;
  readonly webhooks: boolean;
}

export interface EventSwitch {
  readonly id: number;
  readonly event: string;
  readonly on: boolean;
}

export interface WorkspaceDeps {
  readonly store: WorkspaceStore;
  write<T>(job: (changes: Changes) => T): Promise<T>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Hookbench's own ports: no webhook may lead to them. */
  ownPorts(): number[];
  readonly authorities: AuthoritiesFiles;
  /** This part has changed: it is committed and taken over. */
  changed(part: LivePart): void;
}

/** The file of further authorities, as `delivery/authorities.ts` reads it. */
export interface AuthoritiesFiles {
  /** Why the file cannot be used, or null. */
  check(path: string): string | null;
  /** PEM texts; the same array until they change. */
  of(path: string | null): readonly string[];
  view(path: string | null): DestinationView['caFile'];
}

type Edit<T> = { readonly [K in keyof T]?: T[K] | undefined };

const given = (edit: object): object =>
  Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));

export type DestinationEdit = Partial<DestinationSettings> & { readonly profile?: ProfileName | undefined };

export class Workspace {
  readonly #deps: WorkspaceDeps;
  #sources: readonly Source[] = [];
  #byKey = new Map<string, Source>();
  #webhooks: readonly StoredWebhook[] = [];
  #destination: DestinationSettings = DEFAULT_DESTINATION;
  #ingest = DEFAULT_INGEST;
  #storage: StorageLimits = DEFAULT_STORAGE;
  #secret: SecretState = { state: 'none' };
  /** Of every webhook since the start: what receivers were sent stays in their log when the webhook goes. */
  readonly #secretHeaders = new Set<string>();
  /** Wins over the stored setting for this run, until a person saves that. */
  #acceptAnyKey: boolean | undefined;
  #port = 0;

  constructor(deps: WorkspaceDeps) {
    this.#deps = deps;
    this.#read()();
  }

  /**
   * Reads everything from the store, and gives what takes it over. Read within the transaction of a change: one that
   * was committed and could not be read afterwards would hold in the store and not here.
   */
  #read(): () => void {
    const { store } = this.#deps;
    const sources = store.sources();
    const webhooks = store.webhooks();
    const destination = this.#setting('destination', DEFAULT_DESTINATION);
    const ingest = this.#setting('ingest', DEFAULT_INGEST);
    const storage = this.#setting('storage', DEFAULT_STORAGE);
    const secret = store.secret(SECRET_NAME);
    return () => {
      this.#sources = sources;
      this.#byKey = new Map(sources.map((source) => [source.writeKey, source]));
      this.#webhooks = webhooks;
      for (const name of secretNames(webhooks.flatMap(({ headers }) => headers))) this.#secretHeaders.add(name);
      this.#destination = destination;
      this.#ingest = ingest;
      this.#storage = storage;
      this.#secret = secret;
    };
  }

  /** As stored. Edits are made on this and not on the copy in memory: another edit of the same turn may have come first. */
  #setting<T extends object>(key: string, defaults: T): T {
    return { ...defaults, ...this.#deps.store.setting<Partial<T>>(key) };
  }

  async #change<T>(part: LivePart, job: () => T): Promise<T> {
    const { value, take } = await this.#deps.write(() => ({ value: job(), take: this.#read() }));
    take();
    this.#deps.changed(part);
    return value;
  }

  get sources(): readonly Source[] {
    return this.#sources;
  }

  get webhooks(): readonly StoredWebhook[] {
    return this.#webhooks;
  }

  /** Names, in lower case, of static headers whose values are hidden, or were since the start. */
  get secretHeaders(): ReadonlySet<string> {
    return this.#secretHeaders;
  }

  get secret(): SecretState {
    return this.#secret;
  }

  /** The secret to sign with: null when none is configured, undefined when there is one that cannot be read. */
  signingSecret(): string | null | undefined {
    if (this.#secret.state === 'none') return null;
    return this.#secret.state === 'set' ? this.#secret.value : undefined;
  }

  /** False while a secret is configured that cannot be read: nothing is sent then. */
  get secretsReadable(): boolean {
    return this.#secret.state !== 'unreadable' && this.#webhooks.every((webhook) => webhook.readable);
  }

  get destinationSettings(): DestinationSettings {
    return this.#destination;
  }

  get storageLimits(): StorageLimits {
    return this.#storage;
  }

  get ingestPort(): number {
    return this.#ingest.port;
  }

  ingestView(): IngestSettingsView {
    const { mode, acceptAnyKey, dedupe, correctEveryTimestamp } = this.settings();
    return { mode, acceptAnyKey, dedupe, correctEveryTimestamp, port: this.#ingest.port };
  }

  destinationView(): DestinationView {
    const { caFile } = this.#destination;
    return destinationView(this.#destination, this.#deps.authorities.view(caFile), this.#secretView());
  }

  /** PEM texts to trust beside the known authorities; the same array until they change. */
  authorities(): readonly string[] {
    return this.#deps.authorities.of(this.#destination.caFile);
  }

  #secretView(): DestinationView['secret'] {
    if (this.#secret.state !== 'set') return { state: this.#secret.state };
    return { state: 'set', last2: tailOf(this.#secret.value), length: this.#secret.value.length };
  }

  // What ingest asks

  sourceByKey(writeKey: string): Source | undefined {
    return this.#byKey.get(writeKey);
  }

  async createSource(writeKey: string): Promise<Source | undefined> {
    if (this.#deps.store.sourcesMadeByKey() >= MAX_MADE_BY_KEY) return undefined;
    const name = `source ${writeKey.slice(0, 24)}`;
    await this.#change('sources', () => {
      const { store } = this.#deps;
      if (store.sources().some((source) => source.writeKey === writeKey)) return;
      if (store.sourcesMadeByKey() >= MAX_MADE_BY_KEY) return;
      store.saveSource(
        {
          name,
          writeKey,
          kind: 'server',
          enabled: true,
          webhooks: true,
          eventsOff: new Set(),
          createdAt: this.#deps.clock.wall(),
        },
        true,
      );
    });
    return this.#byKey.get(writeKey);
  }

  settings(): IngestSettings {
    return this.#acceptAnyKey === undefined ? this.#ingest : { ...this.#ingest, acceptAnyKey: this.#acceptAnyKey };
  }

  destination(): { enabled: boolean; body: DestinationSettings['body']; webhookCount: number } {
    return { enabled: this.#destination.enabled, body: this.#destination.body, webhookCount: this.#webhooks.length };
  }

  port(): number {
    return this.#port;
  }

  /** The port that the ingest listener has now. */
  setPort(port: number): void {
    this.#port = port;
  }

  setAcceptAnyKey(accept: boolean): void {
    this.#acceptAnyKey = accept;
  }

  // A person's changes

  /** Errors `source_not_found`, `write_key_taken`. */
  async saveSource(edit: SourceEdit): Promise<Source> {
    const before = edit.id === undefined ? undefined : this.#sources.find(({ id }) => id === edit.id);
    if (edit.id !== undefined && before === undefined) throw new ContractError('source_not_found');
    const writeKey = edit.writeKey ?? before?.writeKey ?? `wk_${this.#deps.ids.hex(12)}`;
    const createdAt = before?.createdAt ?? this.#deps.clock.wall();
    const id = await this.#change('sources', () => {
      // Asked of the store: another edit of the same turn may have come first.
      const sources = this.#deps.store.sources();
      const holder = sources.find((source) => source.writeKey === writeKey);
      if (holder !== undefined && holder.id !== edit.id)
        throw new ContractError('write_key_taken', `The source ${holder.name} has this write key.`, 'writeKey');
      const eventsOff = sources.find((source) => source.id === edit.id)?.eventsOff ?? new Set<string>();
      return this.#deps.store.saveSource({ ...edit, writeKey, eventsOff, createdAt }, false);
    });
    return this.#sources.find((source) => source.id === id)!;
  }

  /** Lets track calls with this event go to Webhooks, or not. Errors `source_not_found`, `too_many_events`. */
  async switchEvent({ id, event, on }: EventSwitch): Promise<Source> {
    await this.#change('sources', () => {
      const source = this.#deps.store.sources().find((one) => one.id === id);
      if (source === undefined) throw new ContractError('source_not_found');
      const eventsOff = new Set(source.eventsOff);
      if (on) eventsOff.delete(event);
      else eventsOff.add(event);
      if (eventsOff.size > MAX_EVENTS_OFF) throw new ContractError('too_many_events');
      this.#deps.store.saveSource({ ...source, eventsOff }, false);
    });
    return this.#sources.find((source) => source.id === id)!;
  }

  async removeSource(id: number): Promise<void> {
    const removed = await this.#change('sources', () => this.#deps.store.removeSource(id));
    if (!removed) throw new ContractError('source_not_found');
  }

  /** Errors `webhook_not_found`, `too_many_webhooks`, `invalid_url`, `loop_url`, `invalid_header`. */
  async saveWebhook(edit: WebhookEdit): Promise<StoredWebhook> {
    const before = edit.id === undefined ? undefined : this.#webhooks.find(({ id }) => id === edit.id);
    if (edit.id !== undefined && before === undefined) throw new ContractError('webhook_not_found');
    if (before?.readable === false) throw new ContractError('secret_unreadable', UNREADABLE_HEADERS);
    const { url, headers } = checkWebhook(edit, before, this.#deps.ownPorts());
    const createdAt = before?.createdAt ?? this.#deps.clock.wall();
    const id = await this.#change('webhooks', () => {
      const slot = before?.slot ?? this.#freeSlot();
      const name = edit.name || `Webhook ${slot}`;
      return this.#deps.store.saveWebhook({ id: edit.id, slot, name, url, headers, enabled: edit.enabled, createdAt });
    });
    const saved = this.#webhooks.find((webhook) => webhook.id === id);
    if (saved === undefined) throw new ContractError('webhook_not_found');
    return saved;
  }

  /** Asked of the store: another webhook of the same turn may have come first. */
  #freeSlot(): number {
    const used = new Set(this.#deps.store.webhooks().map(({ slot }) => slot));
    for (let slot = 1; slot <= MAX_WEBHOOKS; slot++) if (!used.has(slot)) return slot;
    throw new ContractError('too_many_webhooks');
  }

  async removeWebhook(id: number): Promise<void> {
    const removed = await this.#change('webhooks', () => this.#deps.store.removeWebhook(id));
    if (!removed) throw new ContractError('webhook_not_found');
  }

  /** Takes over a profile, then what is given beside it. Error `ca_file_invalid`. */
  async saveDestination(edit: DestinationEdit): Promise<void> {
    const problem = edit.caFile == null ? null : this.#deps.authorities.check(edit.caFile);
    if (problem !== null) throw new ContractError('ca_file_invalid', problem, 'caFile');
    await this.#change('destination', () =>
      this.#deps.store.saveSetting(
        'destination',
        editedDestination(this.#setting('destination', DEFAULT_DESTINATION), edit),
      ),
    );
  }

  /** Null turns signing off. */
  async setSecret(secret: string | null): Promise<void> {
    await this.#change('destination', () => {
      this.#deps.store.saveSecret(SECRET_NAME, secret);
      failpoint('secret_written');
    });
  }

  async saveStorage(edit: Edit<StorageLimits>): Promise<void> {
    await this.#change('status', () =>
      this.#deps.store.saveSetting('storage', { ...this.#setting('storage', DEFAULT_STORAGE), ...given(edit) }),
    );
  }

  async saveIngest(edit: Edit<IngestSettings>): Promise<void> {
    await this.#saveIngest(edit);
    if (edit.acceptAnyKey !== undefined) this.#acceptAnyKey = undefined;
  }

  async savePort(port: number): Promise<void> {
    await this.#saveIngest({ port });
  }

  async #saveIngest(edit: Edit<typeof DEFAULT_INGEST>): Promise<void> {
    await this.#change('ingest', () =>
      this.#deps.store.saveSetting('ingest', { ...this.#setting('ingest', DEFAULT_INGEST), ...given(edit) }),
    );
  }

  // The config file

  /**
   * Takes over a config file. Throws {@link ConfigValueError}; then nothing was changed. `plannedPorts` are ones that
   * will be Hookbench's own in a moment.
   */
  async applyConfig(config: Config, plannedPorts: readonly number[] = []): Promise<void> {
    const { store, clock, ownPorts } = this.#deps;
    const checked = checkConfig(config, [...ownPorts(), ...plannedPorts]);
    const before = {
      sources: this.#sources,
      webhooks: this.#webhooks,
      destination: this.#destination,
      ingest: this.#ingest,
      storage: this.#storage,
    };
    const take = await this.#deps.write(() => {
      takeConfig(store, before, checked, clock.wall());
      return this.#read();
    });
    take();
    for (const part of ['sources', 'webhooks', 'destination', 'ingest', 'status'] as const) this.#deps.changed(part);
  }

  /** A first source for a workspace that has none, so that a first event can be sent at once. */
  async ensureSource(): Promise<void> {
    if (this.#sources.length > 0) return;
    await this.saveSource({
      name: 'dev',
      writeKey: `wk_dev_${this.#deps.ids.hex(6)}`,
      kind: 'server',
      enabled: true,
      webhooks: true,
    });
  }
}
