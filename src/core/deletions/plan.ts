/** Who is told what: one notice for each user and source that knows the user and has the destination on. Pure. */

import type { Source } from '../model/records.ts';
import type { NoNoticeReason } from '../model/vocabulary.ts';
import type { DeletionSourceRecord, NewNotice } from '../store/ports/deletions.ts';
import type { FoundUser } from './user-calls.ts';

/** What decides about the destination. */
export interface DestinationSwitches {
  readonly enabled: boolean;
  readonly webhookCount: number;
}

/** A source with the reason why it is never told, or null. */
export interface PlannedSource extends DeletionSourceRecord {
  readonly silent: Exclude<NoNoticeReason, 'does_not_know'> | null;
}

/** Every source, then the removed ones that have calls of these users. */
export function plannedSources(
  sources: readonly Source[],
  users: Iterable<FoundUser>,
  destination: DestinationSwitches,
): PlannedSource[] {
  const planned = sources.map((source) => plannedSource(source, destination));
  const known = new Set(sources.map(({ id }) => id));
  const removed = new Set<number>();
  for (const { calls } of users) for (const id of calls.keys()) if (!known.has(id)) removed.add(id);
  return [...planned, ...[...removed].sort((a, b) => a - b).map(removedSource)];
}

function plannedSource({ id, name, kind, webhooks }: Source, destination: DestinationSwitches): PlannedSource {
  const destinationOn = destination.enabled && webhooks;
  const silent = !destinationOn ? 'destination_off' : destination.webhookCount === 0 ? 'no_webhook' : null;
  return { sourceId: id, name, kind, destinationOn, silent };
}

const removedSource = (sourceId: number): PlannedSource => ({
  sourceId,
  name: `Source ${sourceId}`,
  kind: null,
  destinationOn: false,
  silent: 'source_removed',
});

/** Why the source gets no notice about a user; null when it gets one. */
export function reasonOf({ sourceId, silent }: PlannedSource, { calls }: FoundUser): NoNoticeReason | null {
  return calls.has(sourceId) ? silent : 'does_not_know';
}

/** By user, then source. Sources that do not know a user are left out. */
export function plannedNotices(
  userIds: readonly string[],
  users: ReadonlyMap<string, FoundUser>,
  sources: readonly PlannedSource[],
): NewNotice[] {
  return userIds.flatMap((userId, i) => {
    const user = users.get(userId)!;
    return sources.flatMap((source): NewNotice[] => {
      const calls = user.calls.get(source.sourceId) ?? 0;
      if (calls === 0) return [];
      return [{ position: i + 1, sourceId: source.sourceId, calls, reason: reasonOf(source, user) }];
    });
  });
}
