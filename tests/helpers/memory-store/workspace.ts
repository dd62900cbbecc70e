import type { Source } from '../../../src/core/model/records.ts';
import type { StaticHeader } from '../../../src/core/model/static-headers.ts';
import type { Sealer } from '../../../src/core/ports.ts';
import type {
  SecretState,
  SecretStore,
  SettingStore,
  SourceStore,
  StoredWebhook,
  WebhookStore,
  WorkspaceStore,
} from '../../../src/core/store/ports/workspace.ts';
import type { Tables } from './tables.ts';

const KEPT_LINE_UPS = 1_000;

class MemorySources implements SourceStore {
  readonly #rows: Tables['sources'];

  constructor({ sources }: Tables) {
    this.#rows = sources;
  }

  all(): Source[] {
    return this.#rows.all().map(({ madeByKey, ...source }) => source);
  }

  madeByKey(): number {
    return this.#rows.where(({ madeByKey }) => madeByKey).length;
  }

  save({ madeByKey = false, ...source }: Parameters<SourceStore['save']>[0]): number {
    const id = source.id ?? this.#rows.nextId();
    const before = this.#rows.get(id);
    if (this.#rows.where((row) => row.writeKey === source.writeKey && row.id !== id).length > 0)
      throw new Error('UNIQUE: another source has this write key');
    const eventsOff = new Set([...source.eventsOff].sort());
    const made = { madeByKey: before?.madeByKey ?? madeByKey, createdAt: before?.createdAt ?? source.createdAt };
    this.#rows.set(id, { ...source, ...made, eventsOff, id });
    return id;
  }

  remove(id: number): boolean {
    return this.#rows.delete(id);
  }
}

class MemoryWebhooks implements WebhookStore {
  readonly #tables: Tables;
  readonly #sealer: Sealer;

  constructor(tables: Tables, sealer: Sealer) {
    this.#tables = tables;
    this.#sealer = sealer;
  }

  all(): StoredWebhook[] {
    return this.#tables.webhooks
      .all()
      .map(({ sealedHeaders, ...webhook }) => ({ ...webhook, ...this.#opened(sealedHeaders) }))
      .sort((a, b) => a.slot - b.slot);
  }

  #opened(sealed: Uint8Array): Pick<StoredWebhook, 'headers' | 'readable'> {
    try {
      return { headers: JSON.parse(this.#sealer.open(sealed)) as StaticHeader[], readable: true };
    } catch {
      return { headers: [], readable: false };
    }
  }

  save({ headers, ...webhook }: Parameters<WebhookStore['save']>[0]): number {
    const { webhooks } = this.#tables;
    const id = webhook.id ?? webhooks.nextId();
    if (webhooks.where(({ slot, ...row }) => slot === webhook.slot && row.id !== id).length > 0)
      throw new Error('UNIQUE: another webhook has this slot');
    const createdAt = webhooks.get(id)?.createdAt ?? webhook.createdAt;
    webhooks.set(id, { ...webhook, id, createdAt, sealedHeaders: this.#sealer.seal(JSON.stringify(headers)) });
    this.#keepLineUp();
    return id;
  }

  remove(id: number): boolean {
    const removed = this.#tables.webhooks.delete(id);
    this.#keepLineUp();
    return removed;
  }

  #keepLineUp(): void {
    const { attempts, lineUps } = this.#tables;
    const afterAttempt = attempts.all().at(-1)?.id ?? 0;
    const webhooks = this.all().map(({ id, slot, name, enabled }) => ({ id, slot, name, enabled }));
    lineUps.set(afterAttempt, { afterAttempt, webhooks });
    for (const old of lineUps.all().slice(0, -KEPT_LINE_UPS)) lineUps.delete(old.afterAttempt);
  }
}

class MemorySettings implements SettingStore {
  readonly #rows: Tables['settings'];

  constructor({ settings }: Tables) {
    this.#rows = settings;
  }

  get<T>(key: string): T | undefined {
    const text = this.#rows.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  save(key: string, value: unknown): void {
    this.#rows.set(key, JSON.stringify(value));
  }
}

class MemorySecrets implements SecretStore {
  readonly #rows: Tables['secrets'];
  readonly #sealer: Sealer;

  constructor({ secrets }: Tables, sealer: Sealer) {
    this.#rows = secrets;
    this.#sealer = sealer;
  }

  get(name: string): SecretState {
    const sealed = this.#rows.get(name);
    if (sealed === undefined) return { state: 'none' };
    try {
      return { state: 'set', value: this.#sealer.open(sealed) };
    } catch {
      return { state: 'unreadable' };
    }
  }

  save(name: string, value: string | null): void {
    if (value === null) this.#rows.delete(name);
    else this.#rows.set(name, this.#sealer.seal(value));
  }
}

export const memoryWorkspace = (tables: Tables, sealer: Sealer): WorkspaceStore => ({
  sources: new MemorySources(tables),
  webhooks: new MemoryWebhooks(tables, sealer),
  settings: new MemorySettings(tables),
  secrets: new MemorySecrets(tables, sealer),
});
