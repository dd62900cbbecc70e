/** Delivery over the store of an engine: sender, dispatcher and replays. All report their results to `recorded`. */
import { Dispatcher, type DispatcherDeps } from '../delivery/dispatcher.ts';
import type { RetryClock } from '../delivery/retry-clock.ts';
import { Sender } from '../delivery/sender.ts';
import type { Ports } from '../ports.ts';
import { Replayer } from '../replay/replayer.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Destination } from '../workspace/destination.ts';

export interface DeliveryPartsDeps extends Pick<DispatcherDeps, 'write' | 'recorded' | 'moved'> {
  readonly ports: Pick<Ports, 'clock' | 'timers' | 'logger' | 'transport'>;
  readonly store: DeliveryStore;
  readonly retryClock: RetryClock;
  readonly destination: Destination;
}

export interface DeliveryParts {
  readonly sender: Sender;
  readonly dispatcher: Dispatcher;
  readonly replayer: Replayer;
}

export function createDelivery(deps: DeliveryPartsDeps): DeliveryParts {
  const { store, retryClock, destination, write, recorded, moved } = deps;
  const { clock, timers, logger, transport } = deps.ports;
  const rules = () => destination.settings;
  const sender = new Sender(transport, clock, { secret: () => destination.signingSecret(), rules });
  const dispatcher = new Dispatcher({
    store,
    write,
    sender,
    clock,
    retryClock,
    timers,
    logger,
    rules,
    recorded,
    moved,
  });
  const replayer = new Replayer({
    persist: (job, rows) => dispatcher.guard.persist(job, rows),
    store,
    write,
    sender,
    clock,
    clockNow: () => retryClock.now(),
    recorded,
  });
  return { sender, dispatcher, replayer };
}
