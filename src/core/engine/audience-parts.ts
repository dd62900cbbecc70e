/** Audiences and computed traits: what they send goes the way of every message. */
import { standstillsOf } from '../../contract/not-sending.ts';
import { Audiences } from '../audiences/audiences.ts';
import type { Suppressions } from '../deletions/suppressions.ts';
import type { StoredRequest } from '../ingest/ports.ts';
import { ComputedUsers } from '../people/computed-users.ts';
import type { People } from '../people/people.ts';
import type { EngineStatus } from '../serving/engine-status.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { StoreParts } from './store-parts.ts';

interface AudienceNeeds {
  readonly base: StoreParts;
  readonly delivery: DeliveryParts;
  readonly status: EngineStatus;
  readonly people: People;
  readonly suppressions: Suppressions;
  /** Counts the messages of a committed request and hands them to delivery. */
  stored(request: StoredRequest): void;
}

export function createAudiences(
  ports: EnginePorts,
  { base, delivery, status, people, suppressions, stored }: AudienceNeeds,
): Audiences {
  const { store, stores, write, workspace, feed } = base;
  const { dispatcher, retryClock, onClockChanged } = delivery;
  const audiences = new Audiences({
    store: stores.audiences,
    syncs: stores.syncs,
    ingest: stores.ingest,
    details: stores.details,
    lists: stores.lists,
    write,
    persist: (ask) => dispatcher.guard.persist(ask),
    clock: ports.clock,
    timers: ports.timers,
    ids: ports.ids,
    logger: ports.logger,
    retryClock,
    destination: () => {
      const { enabled, body } = workspace.destination.settings;
      return { enabled, body, webhookCount: workspace.webhooks.all.length };
    },
    suppressed: () => suppressions.silent,
    standstills: () => standstillsOf(status.notSending()),
    stored,
    changed: () => feed.touch('audiences'),
    sendersOf: (traits) => sendersOf(people, workspace.sources, traits),
    membersOf: new ComputedUsers(people),
  });
  store.onCommitted((changes) => audiences.committed(changes));
  onClockChanged(() => audiences.syncs.reschedule());
  suppressions.onLifted(() => audiences.syncs.allChanged());
  return audiences;
}

/** Null while the calls are read, and while people do not run: a warning that is missing is no reason to refuse. */
async function sendersOf(people: People, sources: Workspace['sources'], traits: readonly string[]) {
  const senders = await people.ask('senders', { traits }).catch(() => null);
  const names = new Map(sources.all.map(({ id, name }) => [id, name]));
  return (
    senders?.map((ofOne) =>
      ofOne.flatMap(({ sourceId, calls }) => {
        const name = names.get(sourceId);
        return name === undefined ? [] : [{ sourceId, name, calls }];
      }),
    ) ?? null
  );
}
