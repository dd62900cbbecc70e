/** The workspace in memory. Each part mirrors the store, has one owner, and changes only through that owner. */
import type { LivePart } from '../../contract/live.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { WorkspaceStore } from '../store/ports/workspace.ts';
import { type AuthoritiesFiles, Destination } from './destination.ts';
import { KeptExportSettings } from './export-settings.ts';
import { KeptIngestSettings } from './ingest-settings.ts';
import { KeptSavedFilters } from './saved-filters.ts';
import type { SettingsOwner } from './settings-owner.ts';
import { Sources } from './sources.ts';
import { KeptStorageLimits } from './storage-limits.ts';
import { Webhooks } from './webhooks.ts';

export interface WorkspaceDeps {
  readonly store: WorkspaceStore;
  readonly write: Writer['write'];
  readonly clock: Clock;
  readonly ids: Ids;
  /** Hookbench's own ports. No webhook may lead to them. */
  ownPorts(): readonly number[];
  readonly authorities: AuthoritiesFiles;
  /** This part has changed; the change is committed and taken over. */
  changed(part: LivePart): void;
}

export class Workspace {
  readonly sources: Sources;
  readonly webhooks: Webhooks;
  readonly destination: Destination;
  readonly ingest: KeptIngestSettings;
  readonly storage: KeptStorageLimits;
  readonly savedFilters: KeptSavedFilters;
  readonly exports: KeptExportSettings;
  readonly owners: readonly SettingsOwner[];

  constructor(deps: WorkspaceDeps) {
    const { store } = deps;
    const tell = (part: LivePart) => () => deps.changed(part);
    this.sources = new Sources({ ...deps, store: store.sources, changed: tell('sources') });
    this.webhooks = new Webhooks({ ...deps, store: store.webhooks, changed: tell('webhooks') });
    this.destination = new Destination({ ...deps, changed: tell('destination') });
    this.ingest = new KeptIngestSettings({ ...deps, store: store.settings, changed: tell('ingest') });
    this.storage = new KeptStorageLimits({ ...deps, store: store.settings, changed: tell('status') });
    this.savedFilters = new KeptSavedFilters({ ...deps, store: store.settings, changed: tell('savedFilters') });
    this.exports = new KeptExportSettings({ ...deps, store: store.settings, changed: tell('exports') });
    this.owners = [this.sources, this.destination, this.webhooks, this.ingest, this.storage, this.exports];
  }

  /** False while a configured secret cannot be read. Nothing is sent then. */
  get secretsReadable(): boolean {
    return this.destination.secret.state !== 'unreadable' && this.webhooks.all.every((webhook) => webhook.readable);
  }

  /** The shared secret and the values of static headers that are not shown, as far as they can be read. */
  secretsInClear(): string[] {
    const headers = this.webhooks.all.flatMap((webhook) => webhook.headers);
    const values = headers.filter(([, , mark]) => mark !== 'shown').map(([, value]) => value);
    return [this.destination.signingSecret() ?? '', ...values].filter((secret) => secret !== '');
  }
}
