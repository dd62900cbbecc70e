/**
 * What the user sets: sources, webhooks, settings and secrets. Reads are few and small, because the owners keep the
 * values in memory.
 */
import type { Source, Webhook } from '../../model/records.ts';
import type { Changes } from './changes.ts';

/** Without `id`, it is new. */
type Saved<T extends { readonly id: number }> = Omit<T, 'id'> & { readonly id?: number | undefined };

export interface SourceStore {
  /** In the order in which they were made. */
  all(): Source[];
  /** How many were made automatically by the first call with their key. */
  madeByKey(): number;
  /** Returns its id. Its origin and creation time never change. Throws when another source has the write key. */
  save(source: Saved<Source> & { readonly madeByKey?: boolean }, changes: Changes): number;
  /** False when there was none. */
  remove(id: number, changes: Changes): boolean;
}

/** A webhook whose static headers could not be unsealed is `readable: false`. Nothing may be sent to it. */
export type StoredWebhook = Webhook & { readonly readable: boolean };

/** Static headers are sealed at rest. Each change makes a line-up: the webhooks that later attempts are made with. */
export interface WebhookStore {
  /** By slot. */
  all(): StoredWebhook[];
  /** Returns its id, which no webhook had before. Its creation time never changes. Throws when the slot is taken. */
  save(webhook: Saved<Webhook>, changes: Changes): number;
  /** False when there was none. */
  remove(id: number, changes: Changes): boolean;
}

/** JSON values by their key. */
export interface SettingStore {
  /** Undefined when it was never saved. */
  get<T>(key: string): T | undefined;
  save(key: string, value: unknown, changes: Changes): void;
}

/** The name of the secret that signs deliveries. */
export const SECRET_NAME = 'shared_secret';

export type SecretState =
  | { readonly state: 'none' }
  | { readonly state: 'set'; readonly value: string }
  | { readonly state: 'unreadable' };

/** Secrets are sealed at rest. */
export interface SecretStore {
  get(name: string): SecretState;
  /** Null removes it. */
  save(name: string, value: string | null, changes: Changes): void;
}

export interface WorkspaceStore {
  readonly sources: SourceStore;
  readonly webhooks: WebhookStore;
  readonly settings: SettingStore;
  readonly secrets: SecretStore;
}
