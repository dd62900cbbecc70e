import { useEffect, useRef, useState } from 'react';
import type { AudienceRow, PendingRow } from '../../../../contract/audiences.ts';
import type { ComputedTraitInput, PersonChangeView } from '../../../../contract/people.ts';
import type { MessageRow } from '../../../../contract/values.ts';
import { call } from '../../../platform/connect.ts';
import { type Pages, usePages } from '../../../stores/use-pages.ts';

const WINDOW = 100;
/** Real milliseconds between two readings of causes. */
const EVERY_MS = 500;

/** A changed value with its cause, as far as that is known. */
export interface TraitChangeRow extends PendingRow {
  readonly name: string | null;
  readonly cause: Cause;
}

export type Cause =
  | { readonly by: 'unknown' }
  | { readonly by: 'call'; readonly message: MessageRow }
  | { readonly by: 'time'; readonly calls: number };

const UNKNOWN: Cause = { by: 'unknown' };

interface Known {
  readonly changes: ReadonlyMap<string, PersonChangeView>;
  readonly messages: ReadonlyMap<number, MessageRow>;
}
const NOTHING: Known = { changes: new Map(), messages: new Map() };

/** Whose value changed since the last sync. `trait` is null until the stored definition is read. */
export function useChanges(
  { id, counts, lastSync }: AudienceRow,
  trait: ComputedTraitInput | null,
): Omit<Pages<PendingRow>, 'rows'> & { readonly rows: readonly TraitChangeRow[] } {
  const pages = usePages<PendingRow>(
    String(id),
    `${JSON.stringify(counts)} ${lastSync?.id} ${lastSync?.state}`,
    (after) => call('audiences.pending', { id, after, limit: WINDOW }),
  );
  const known = useKnown(trait, pages.rows);
  const rows = pages.rows.map((row): TraitChangeRow => {
    const change = known.changes.get(row.userId);
    // What is known may be older than the row.
    const isCurrent = JSON.stringify(change?.value) === JSON.stringify(row.value);
    return { ...row, name: change?.name ?? null, cause: isCurrent ? causeOf(change, known.messages) : UNKNOWN };
  });
  return { ...pages, rows };
}

function causeOf(change: PersonChangeView | undefined, messages: Known['messages']): Cause {
  if (change?.change == null) return UNKNOWN;
  if ('agedOut' in change.change) return { by: 'time', calls: change.change.agedOut };
  const message = messages.get(change.change.messageId);
  return message === undefined ? UNKNOWN : { by: 'call', message };
}

/** Names and causes of the users in these rows; what is known stays while more is read. */
function useKnown(trait: ComputedTraitInput | null, rows: readonly PendingRow[]): Known {
  const [known, setKnown] = useState<Known>(NOTHING);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  const asked = trait === null ? null : JSON.stringify(trait);
  useEffect(() => {
    if (asked === null || rows.length === 0) return;
    let isGone = false;
    const timer = setTimeout(
      () => {
        readAt.current = performance.now();
        const userIds = rows.map(({ userId }) => userId);
        readKnown(JSON.parse(asked) as ComputedTraitInput, userIds).then(
          (next) => !isGone && setKnown(next),
          // The rows are as true without their causes.
          () => {},
        );
      },
      Math.max(0, readAt.current + EVERY_MS - performance.now()),
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [asked, rows]);
  return known;
}

async function readKnown(trait: ComputedTraitInput, userIds: readonly string[]): Promise<Known> {
  const changes = new Map<string, PersonChangeView>();
  const messages = new Map<number, MessageRow>();
  for (let from = 0; from < userIds.length; from += WINDOW) {
    const some = await call('people.changes', { trait, userIds: userIds.slice(from, from + WINDOW) });
    for (const change of some) changes.set(change.userId, change);
    const ids = some.flatMap(({ change }) => (change !== null && 'messageId' in change ? [change.messageId] : []));
    const found = ids.length === 0 ? [] : await call('messages.byIds', { ids: [...new Set(ids)] });
    for (const message of found) messages.set(message.id, message);
  }
  return { changes, messages };
}
