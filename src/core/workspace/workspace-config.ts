/** Takes a config file over into the workspace: first all of it is checked, then all of it is written. */
import type { Config, ConfigHeader } from '../../contract/config.ts';
import { ContractError } from '../../contract/errors.ts';
import type { DestinationSettings, IngestSettings, Source } from '../model/records.ts';
import type { StorageLimits } from '../model/retention.ts';
import type { StaticHeader } from '../model/static-headers.ts';
import { SECRET_NAME, type StoredWebhook, type WorkspaceStore } from '../store/workspace.ts';
import { editedDestination } from './destination-edit.ts';
import { checkWebhook } from './webhook-edit.ts';

/** A value of the config file that passes its schema but not a rule; `path` names it. */
export class ConfigValueError extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

type ConfigSource = NonNullable<Config['sources']>[number];
type ConfigEntry = NonNullable<NonNullable<Config['webhooks']>['entries']>[number];

interface CheckedEntry {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly StaticHeader[];
  readonly enabled: boolean;
}

/** A config whose values were all found good; null entries leave the webhooks as they are. */
export interface CheckedConfig {
  readonly config: Config;
  readonly entries: readonly CheckedEntry[] | null;
}

/** Throws a {@link ConfigValueError}. */
export function checkConfig(config: Config, ownPorts: readonly number[]): CheckedConfig {
  checkSources(config.sources ?? []);
  const entries = config.webhooks?.entries?.map((entry, i) => checkEntry(entry, i, ownPorts)) ?? null;
  return { config, entries };
}

function checkSources(sources: readonly ConfigSource[]): void {
  const keys = new Set<string>();
  for (const [i, { writeKey }] of sources.entries()) {
    if (keys.has(writeKey))
      throw new ConfigValueError(`sources[${i}].writeKey`, 'Another source of the file has this write key.');
    keys.add(writeKey);
  }
}

function checkEntry(entry: ConfigEntry, i: number, ownPorts: readonly number[]): CheckedEntry {
  const { name, enabled } = entry;
  const headers = Object.entries(entry.headers).map(([header, value]) => ({
    name: header,
    ...givenValue(value),
  }));
  try {
    return { name, enabled, ...checkWebhook({ url: entry.url, headers }, undefined, ownPorts) };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    // The file has headers by name where an edit has a list.
    const field = (error.field ?? '').replace(/^headers\.(\d+)\.\w+$/, (_, n) => `headers.${headers[Number(n)]!.name}`);
    throw new ConfigValueError(`webhooks.entries[${i}]${field === '' ? '' : `.${field}`}`, error.message);
  }
}

/** Null of a variable that nobody filled in: with no stored header to keep it is an error. */
function givenValue(header: ConfigHeader): { value: string | null; shown?: boolean | undefined } {
  if (typeof header === 'string') return { value: header };
  return { value: 'value' in header ? header.value : null, shown: header.shown };
}

/** What the workspace holds before. */
export interface Before {
  readonly sources: readonly Source[];
  readonly webhooks: readonly StoredWebhook[];
  readonly destination: DestinationSettings;
  readonly ingest: IngestSettings;
  readonly storage: StorageLimits;
}

/** Writes it, within a transaction of the caller's. Sources are matched by write key, webhooks by their place. */
export function takeConfig(
  store: WorkspaceStore,
  before: Before,
  { config, entries }: CheckedConfig,
  now: number,
): void {
  for (const source of config.sources ?? []) {
    const known = before.sources.find(({ writeKey }) => writeKey === source.writeKey);
    const eventsOff = source.eventsOff === undefined ? known?.eventsOff : new Set(source.eventsOff);
    store.saveSource(
      { ...source, eventsOff: eventsOff ?? new Set(), id: known?.id, createdAt: known?.createdAt ?? now },
      false,
    );
  }
  if (entries !== null) takeEntries(store, before.webhooks, entries, now);
  takeSettings(store, before, config);
}

function takeEntries(
  store: WorkspaceStore,
  before: readonly StoredWebhook[],
  entries: readonly CheckedEntry[],
  now: number,
): void {
  for (const old of before) if (old.slot > entries.length) store.removeWebhook(old.id);
  for (const [i, entry] of entries.entries()) {
    const known = before.find(({ slot }) => slot === i + 1);
    store.saveWebhook({ ...entry, id: known?.id, slot: i + 1, createdAt: known?.createdAt ?? now });
  }
}

function takeSettings(store: WorkspaceStore, before: Before, config: Config): void {
  const { sharedSecret, entries: _, ...destination } = config.webhooks ?? {};
  store.saveSetting('destination', editedDestination(before.destination, destination));
  // These three are settings of their own.
  const { faults: _faults, https: _https, browserSdk: _browserSdk, ...ingest } = config.ingest ?? {};
  store.saveSetting('ingest', { ...before.ingest, ...ingest });
  if (config.storage !== undefined) store.saveSetting('storage', { ...before.storage, ...config.storage });
  if (typeof sharedSecret === 'string') store.saveSecret(SECRET_NAME, sharedSecret);
}
