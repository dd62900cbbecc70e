/**
 * Answers `overview.get`: aggregates, where the retrying messages stand, and what needs attention. It reads no
 * attempts and few messages.
 */
import type { OverviewRange, OverviewView } from '../../contract/overview.ts';
import type { RecentAttempt, StatusView, WebhookView } from '../../contract/values.ts';
import type { Clock } from '../ports.ts';
import type { MetricsStore, RetryingMessage } from '../store/ports/metrics.ts';
import { attentionOf } from './attention.ts';
import type { Metrics } from './metrics.ts';
import { aggregate, retryWindow, spanOf } from './overview.ts';

/** How many retrying messages it looks at, oldest first, and for how many milliseconds it reuses the result. */
export const MAX_RETRYING = 2_000;
const LOOK_MS = 900;

export interface OverviewSources {
  readonly metrics: Metrics;
  readonly store: MetricsStore;
  readonly clock: Clock;
  /** Retry-clock time. */
  clockNow(): number;
  status(): StatusView;
  /** By slot. */
  webhooks(): readonly WebhookView[];
  destination(): { readonly enabled: boolean; readonly timeoutMs: number; readonly windowMs: number };
}

/** The newest attempt at the webhook as it is now: attempts at its earlier URL say nothing about it. */
const newestNow = (recent: WebhookView['recent']): RecentAttempt | null =>
  recent.findLast(({ was }) => was === null) ?? null;

export class OverviewReader {
  readonly #of: OverviewSources;
  #look: { at: number; rows: readonly RetryingMessage[] } = { at: Number.NEGATIVE_INFINITY, rows: [] };

  constructor(of: OverviewSources) {
    this.#of = of;
  }

  get(range: OverviewRange): OverviewView {
    const { metrics, clock } = this.#of;
    const now = clock.wall();
    const span = spanOf(range, now, metrics.startedAt);
    const last = span.first + span.bars * span.step - 1;
    const webhooks = this.#of.webhooks();
    const destination = this.#of.destination();
    const status = this.#of.status();
    const clockNow = this.#of.clockNow();
    const retrying = this.#retrying(status.counts.retrying);
    const drawn = aggregate(
      metrics.range(span.first, last),
      span,
      now,
      webhooks,
      (key) => metrics.named(key),
      destination.timeoutMs,
    );
    return {
      range,
      ...drawn,
      retryWindow: retryWindow(retrying, status.counts.retrying, clockNow, destination.windowMs),
      attention: attentionOf({
        status,
        destinationOn: destination.enabled,
        webhooks: webhooks.map(({ id, enabled, recent }) => ({ id, enabled, last: newestNow(recent) })),
        attempts: drawn.webhooks,
        totals: drawn.totals,
        rejectedBy: drawn.rejectedBy,
        retrying,
        clockNow,
      }),
    };
  }

  /** Several windows that ask within a second share one result. */
  #retrying(count: number): readonly RetryingMessage[] {
    if (count === 0) return [];
    const now = this.#of.clock.mono();
    if (now - this.#look.at >= LOOK_MS) this.#look = { at: now, rows: this.#of.store.retrying(MAX_RETRYING) };
    return this.#look.rows;
  }
}
