/** Deletion requests, and the suppressed users that ingest asks for. */
import { Deletions } from '../deletions/deletions.ts';
import type { AudienceRows } from '../deletions/deps.ts';
import { Suppressions } from '../deletions/suppressions.ts';
import type { People } from '../people/people.ts';
import type { ReceiversLab } from '../receivers/lab.ts';
import type { Search } from '../search/search.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { IngestParts } from './ingest-parts.ts';
import type { StoreParts } from './store-parts.ts';

type DeletionDeps = StoreParts &
  Pick<DeliveryParts, 'dispatcher' | 'retryClock'> &
  Pick<IngestParts, 'observer'> & {
    readonly receivers: ReceiversLab;
    readonly suppressions: Suppressions;
    readonly people: People;
    readonly search: Search;
    /** Made later. */
    audiences(): AudienceRows;
  };

/** Made before ingest, which rejects the calls of suppressed users. */
export function createSuppressions({ clock }: EnginePorts, { stores, write, feed }: StoreParts): Suppressions {
  return new Suppressions({ store: stores.suppressions, write, clock, changed: () => feed.touch('deletions') });
}

export function createDeletionParts(ports: EnginePorts, deps: DeletionDeps): { deletions: Deletions } {
  const {
    store,
    stores,
    write,
    workspace,
    feed,
    dispatcher,
    retryClock,
    observer,
    receivers,
    suppressions,
    people,
    search,
  } = deps;
  const { clock, timers, ids, logger } = ports;
  const deletions = new Deletions({
    deletions: stores.deletions,
    erasure: stores.erasure,
    ingest: stores.ingest,
    lists: stores.lists,
    details: stores.details,
    write,
    persist: (ask) => dispatcher.guard.persist(ask),
    suppressions,
    receivers,
    audiences: {
      count: (userIds) => deps.audiences().count(userIds),
      erase: (userIds) => deps.audiences().erase(userIds),
      look: (mentions) => deps.audiences().look(mentions),
    },
    index: { forget: () => search.forget() },
    people: { callsOf: (userIds, upTo) => people.rememberedCalls(userIds, upTo) },
    sources: () => workspace.sources.all,
    destination: () => {
      const { enabled, body } = workspace.destination.settings;
      return { enabled, body, webhookCount: workspace.webhooks.all.length };
    },
    stored: (request) => observer.stored(request),
    stopMessage: (id) => dispatcher.stopMessage(id),
    clock,
    clockNow: () => retryClock.now(),
    timers,
    ids,
    logger,
    changed: () => feed.touch('deletions'),
  });
  store.onCommitted((changes) => deletions.committed(changes));
  return { deletions };
}
