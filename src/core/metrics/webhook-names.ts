/**
 * The name and URL that each webhook had when it was tried. A webhook that is edited or replaced is counted apart from
 * what it was before. Each name and URL has a key, under which its counts are kept.
 */
import type { Webhook } from '../model/records.ts';
import type { MetricWebhookRow } from '../store/ports/metrics.ts';

export type NamedWebhook = Pick<Webhook, 'id' | 'slot' | 'name' | 'url'>;

const asText = ({ id, slot, name, url }: NamedWebhook): string => JSON.stringify([id, slot, name, url]);

export class WebhookNames {
  readonly #byKey = new Map<number, NamedWebhook>();
  readonly #byText = new Map<string, number>();
  /** A webhook stays one object until it is edited, so the usual lookup needs no text. */
  readonly #byObject = new WeakMap<NamedWebhook, number>();
  #last = 0;
  #unsaved: MetricWebhookRow[] = [];
  #unused: number[] = [];

  /** Names that are not in `used` no longer have counts. The next write drops them. */
  constructor(rows: readonly MetricWebhookRow[], used: ReadonlySet<number>) {
    for (const { id, webhookId, slot, name, url } of rows) {
      this.#last = Math.max(this.#last, id);
      if (used.has(id)) this.#put(id, { id: webhookId, slot, name, url });
      else this.#unused.push(id);
    }
  }

  keyOf(webhook: NamedWebhook): number {
    const known = this.#byObject.get(webhook) ?? this.#byText.get(asText(webhook)) ?? this.#add(webhook);
    this.#byObject.set(webhook, known);
    return known;
  }

  /** Undefined for an unknown key. */
  get(key: number): NamedWebhook | undefined {
    return this.#byKey.get(key);
  }

  /** The names that the store does not have yet. */
  get unsaved(): { readonly rows: readonly MetricWebhookRow[]; readonly unused: readonly number[] } {
    return { rows: this.#unsaved, unused: this.#unused };
  }

  saved({ rows }: Pick<WebhookNames['unsaved'], 'rows'>): void {
    this.#unsaved = this.#unsaved.filter((row) => !rows.includes(row));
    this.#unused = [];
  }

  #add({ id, slot, name, url }: NamedWebhook): number {
    const key = this.#last + 1;
    this.#put(key, { id, slot, name, url });
    this.#unsaved = [...this.#unsaved, { id: key, webhookId: id, slot, name, url }];
    this.#last = key;
    return key;
  }

  #put(key: number, webhook: NamedWebhook): void {
    this.#byKey.set(key, webhook);
    this.#byText.set(asText(webhook), key);
  }
}
