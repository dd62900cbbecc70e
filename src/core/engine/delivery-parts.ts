/** Delivery: the retry clock, the transport, the senders, and what counts their results. */
import { ClockHistory } from '../delivery/clock-history.ts';
import { ClockKeeper } from '../delivery/clock-keeper.ts';
import { Dispatcher, type DispatcherDeps } from '../delivery/dispatcher.ts';
import { RetryClock, type RetryClockState } from '../delivery/retry-clock.ts';
import { Sender, type SenderSettings } from '../delivery/sender.ts';
import { Metrics } from '../metrics/metrics.ts';
import { BulkReplay } from '../replay/bulk-replay.ts';
import { Replayer } from '../replay/replayer.ts';
import { RecentAttempts } from '../serving/recent-attempts.ts';
import { WebhookViews } from '../serving/webhook-views.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { StoreParts } from './store-parts.ts';

export type DeliveryParts = ReturnType<typeof createDeliveryParts>;

export function createDeliveryParts(ports: EnginePorts, base: StoreParts, onWire: SenderSettings['onWire'] & {}) {
  const { store, stores, write, workspace, openPorts, feed, statusChanged } = base;
  const { clock, timers, logger } = ports;
  const rules = () => workspace.destination.settings;

  const { settings } = stores.workspace;
  const kept = settings.get<RetryClockState>('clock');
  const retryClock = new RetryClock(clock, kept, stores.due.newestReading() ?? undefined);
  const clockHistory = new ClockHistory(settings, retryClock.state);
  const transport = ports.transport({
    ownPorts: () => openPorts.all(),
    authorities: () => workspace.destination.trusted(),
  });
  const metrics = new Metrics({ store: stores.metrics, write, clock, timers });
  const recentAttempts = new RecentAttempts(stores.details.recentAttempts(RecentAttempts.READ));
  const webhookViews = new WebhookViews(() => workspace.webhooks.all, recentAttempts);
  const recorded: DispatcherDeps['recorded'] = (webhook, result, startedAt) => {
    metrics.recorded(webhook, result, startedAt, rules().timeoutMs);
    webhookViews.recorded(webhook, result, startedAt);
    feed.touch('webhooks');
    statusChanged();
  };

  const secret = () => workspace.destination.signingSecret();
  const sender = new Sender(transport, clock, { secret, rules, onWire });
  const moved: DispatcherDeps['moved'] = (event) => metrics.moved(event);
  const dispatcher = new Dispatcher({
    stores,
    sender,
    clock,
    retryClock,
    timers,
    logger,
    rules,
    recorded,
    moved,
  });
  store.onCommitted(({ removed, emptied }) => dispatcher.removed([...removed, ...emptied]));
  const replayer = new Replayer({
    persist: (ask) => dispatcher.guard.persist(ask),
    store: stores.replays,
    sender,
    clock,
    timers,
    retryClock,
    rules,
    isTarget: ({ id, url }) => id < 0 || workspace.webhooks.find(id)?.url === url,
    recorded,
  });
  const bulkReplay = new BulkReplay({
    store: stores.replays,
    persist: (ask) => dispatcher.guard.persist(ask),
    room: () => replayer.room(),
    clock,
    timers,
    changed: () => feed.touch('replayJob'),
  });
  const clockListeners: Array<() => void> = [];
  /** `listener` runs when the retry clock was changed or jumped. */
  const onClockChanged = (listener: () => void): void => void clockListeners.push(listener);
  const clockKeeper = new ClockKeeper({
    clock,
    logger,
    retryClock,
    save: (state, changes) => {
      settings.save('clock', state, changes);
      clockHistory.add(state, changes);
    },
    write,
    persist: (job) => dispatcher.guard.persist(() => write(job)),
    changed: () => {
      feed.touch('clock');
      statusChanged();
      dispatcher.refresh();
      replayer.clockChanged();
      clockHistory.changed();
      for (const listener of clockListeners) listener();
    },
  });
  return {
    retryClock,
    transport,
    metrics,
    webhookViews,
    sender,
    dispatcher,
    replayer,
    bulkReplay,
    clockKeeper,
    clockHistory,
    onClockChanged,
  };
}
