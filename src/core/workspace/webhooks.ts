/** The webhooks of a workspace: at most five, each in its own slot. */
import type { Config, ConfigHeader } from '../../contract/config.ts';
import { ContractError } from '../../contract/errors.ts';
import { type StaticHeader, secretNames } from '../model/static-headers.ts';
import type { Clock } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { StoredWebhook, WebhookStore } from '../store/ports/workspace.ts';
import { Kept } from './kept.ts';
import type { SettingsOwner, VariableNames } from './settings-owner.ts';
import { checkWebhook, type WebhookEdit } from './webhook-edit.ts';
import { type CheckedEntry, checkEntry } from './webhook-entry.ts';

export const MAX_WEBHOOKS = 5;
export const UNREADABLE_HEADERS =
  'The static headers of this webhook cannot be read with the key of this workspace. Remove it and add it again.';

export interface WebhooksDeps {
  readonly store: WebhookStore;
  readonly write: Writer['write'];
  readonly clock: Clock;
  /** Hookbench's own ports. No webhook may lead to them. */
  ownPorts(): readonly number[];
  changed(): void;
}

export class Webhooks implements SettingsOwner {
  readonly #deps: WebhooksDeps;
  readonly #kept: Kept<readonly StoredWebhook[]>;
  /** Of every webhook since the start, because requests stay in the receivers' log after a webhook is removed. */
  readonly #secretHeaders = new Set<string>();

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
    const changed = (): void => {
      this.#noteSecretHeaders();
      deps.changed();
    };
    this.#kept = new Kept(deps.write, () => deps.store.all(), changed);
    this.#noteSecretHeaders();
  }

  /** By slot. */
  get all(): readonly StoredWebhook[] {
    return this.#kept.value;
  }

  /** Names, in lower case, of static headers whose values are hidden or were hidden at some time since the start. */
  get secretHeaders(): ReadonlySet<string> {
    return this.#secretHeaders;
  }

  #noteSecretHeaders(): void {
    for (const name of secretNames(this.all.flatMap(({ headers }) => headers))) this.#secretHeaders.add(name);
  }

  /** The log of the receivers hides these headers too: a replay may send ones that no webhook has. */
  hideHeaders(targets: ReadonlyArray<Pick<StoredWebhook, 'headers'>>): void {
    for (const name of secretNames(targets.flatMap(({ headers }) => headers))) this.#secretHeaders.add(name);
  }

  find(id: number | undefined): StoredWebhook | undefined {
    return this.all.find((webhook) => webhook.id === id);
  }

  /** Error `webhook_not_found`. */
  get(id: number): StoredWebhook {
    const webhook = this.find(id);
    if (webhook === undefined) throw new ContractError('webhook_not_found');
    return webhook;
  }

  /** Errors `webhook_not_found`, `too_many_webhooks`, `invalid_url`, `loop_url`, `invalid_header`, `secret_unreadable`. */
  async save(edit: WebhookEdit): Promise<StoredWebhook> {
    const before = edit.id === undefined ? undefined : this.get(edit.id);
    if (before?.readable === false) throw new ContractError('secret_unreadable', UNREADABLE_HEADERS);
    const { url, headers } = checkWebhook(edit, before, this.#deps.ownPorts());
    const createdAt = before?.createdAt ?? this.#deps.clock.wall();
    const id = await this.#kept.change((changes) => {
      const slot = before?.slot ?? this.#freeSlot();
      const name = edit.name || `Webhook ${slot}`;
      return this.#deps.store.save(
        { id: edit.id, slot, name, url, headers, enabled: edit.enabled, createdAt },
        changes,
      );
    });
    return this.get(id);
  }

  /** Read from the store, because another webhook of the same turn may have come first. */
  #freeSlot(): number {
    const used = new Set(this.#deps.store.all().map(({ slot }) => slot));
    for (let slot = 1; slot <= MAX_WEBHOOKS; slot++) if (!used.has(slot)) return slot;
    throw new ContractError('too_many_webhooks');
  }

  /** Error `webhook_not_found`. */
  async remove(id: number): Promise<void> {
    const removed = await this.#kept.change((changes) => this.#deps.store.remove(id, changes));
    if (!removed) throw new ContractError('webhook_not_found');
  }

  // The config file

  check(config: Config, plannedPorts: readonly number[]): void {
    this.#checked(config, plannedPorts);
  }

  /** Null leaves the webhooks as they are. */
  #checked({ webhooks }: Config, plannedPorts: readonly number[]): readonly CheckedEntry[] | null {
    const ports = [...this.#deps.ownPorts(), ...plannedPorts];
    return webhooks?.entries?.map((entry, i) => checkEntry(entry, i, ports)) ?? null;
  }

  /** The entries, when given, replace the list. Each is matched by its place. */
  async take(config: Config): Promise<void> {
    const entries = this.#checked(config, []);
    if (entries === null) return;
    const { store, clock } = this.#deps;
    await this.#kept.change((changes) => {
      const before = store.all();
      for (const { id, slot } of before) if (slot > entries.length) store.remove(id, changes);
      for (const [i, entry] of entries.entries()) {
        const known = before.find(({ slot }) => slot === i + 1);
        const createdAt = known?.createdAt ?? clock.wall();
        store.save({ ...entry, id: known?.id, slot: i + 1, createdAt }, changes);
      }
    });
  }

  /** Error `secret_unreadable` when static headers cannot be read, because the file would lack them. */
  give(variables: VariableNames): Config {
    if (this.all.some(({ readable }) => !readable)) throw new ContractError('secret_unreadable', UNREADABLE_HEADERS);
    const entries = this.all.map(({ name, url, headers, enabled }) => {
      return { name, url, headers: givenHeaders(name, headers, variables), enabled };
    });
    return { webhooks: { entries } };
  }
}

/** A hidden value is a secret, so the file names a variable instead. */
function givenHeaders(
  webhook: string,
  headers: readonly StaticHeader[],
  variables: VariableNames,
): Record<string, ConfigHeader | ConfigHeader[]> {
  const byName = new Map<string, ConfigHeader[]>();
  for (const [name, value, shown] of headers) {
    const header = shown === 'shown' ? { value, shown: true } : { env: variables.of(webhook, name) };
    byName.set(name, [...(byName.get(name) ?? []), header]);
  }
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]));
}
