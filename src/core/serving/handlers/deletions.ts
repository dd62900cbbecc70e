/** Deletion requests, and the suppressed users. */
import type { Handlers } from '../../../contract/channel.ts';
import type { DeletionUser, DrillView } from '../../../contract/deletions.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { Deletions } from '../../deletions/deletions.ts';
import type { Suppressions } from '../../deletions/suppressions.ts';
import type { UserView } from '../../deletions/views.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Source } from '../../model/records.ts';
import type { Ids } from '../../ports.ts';
import type { DeletionStore } from '../../store/ports/deletions.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { Sources } from '../../workspace/sources.ts';
import { messageRow } from '../views.ts';

export interface DeletionDeps {
  readonly deletions: Deletions;
  readonly store: Pick<DeletionStore, 'list'>;
  readonly suppressions: Suppressions;
  readonly ingest: Ingest;
  readonly sources: Sources;
  readonly lists: Pick<ListStore, 'window' | 'idRange'>;
  readonly ids: Ids;
}

type DeletionCommand = Extract<keyof Handlers, `deletions.${string}`>;

export function deletionHandlers(deps: DeletionDeps): Pick<Handlers, DeletionCommand> {
  const { deletions, store, suppressions } = deps;
  const { views } = deletions;
  return {
    'deletions.preview': ({ userIds }) => deletions.preview(userIds),
    'deletions.dryRun': ({ userIds, from, count }) => deletions.dryRun(userIds, from, count),
    'deletions.create': async (input) => views.detail(deletions.get(await deletions.create(input))),
    'deletions.list': ({ before = Number.MAX_SAFE_INTEGER, limit }) => {
      const rows = store.list({ before, limit }).map((deletion) => views.row(deletion));
      return { rows, nextBefore: rows.length < limit ? null : rows.at(-1)!.id };
    },
    'deletions.get': ({ id }) => views.detail(deletions.get(id)),
    'deletions.users': ({ id, ...page }) => {
      const { rows, nextAfter } = views.users(deletions.get(id), page);
      return { rows: rows.map(userView), nextAfter };
    },
    'deletions.messagesAfter': ({ id, before, limit }) => {
      const { rows, ...scan } = deletions.messagesAfter(id, before, limit);
      return { rows: rows.map(messageRow), ...scan };
    },
    'deletions.drill': (call) => drill(deps, call),
    'deletions.forget': async ({ id }) => {
      await deletions.forget(id);
      return views.detail(deletions.get(id));
    },
    'deletions.suppressions': (window) => suppressions.window(window),
    'deletions.lift': async ({ userIds }) => ({ lifted: await suppressions.lift([...new Set(userIds)]) }),
    'deletions.suppress': async ({ userIds, requestId }) => ({
      suppressed: await suppressions.suppress([...new Set(userIds)], requestId),
    }),
  };
}

const userView = ({ cells, ...user }: UserView): DeletionUser => ({
  ...user,
  cells: cells.map(({ message, ...cell }) => ({ ...cell, message: message === null ? null : messageRow(message) })),
});

function sourceOf(sources: Sources, sourceId: number | undefined): Source {
  if (sourceId !== undefined) return sources.get(sourceId);
  const source = sources.all.find(({ enabled }) => enabled);
  if (source === undefined) throw new ContractError('no_source');
  return source;
}

/** The call takes the same path as every call. */
async function drill(
  { ingest, sources, lists, ids }: DeletionDeps,
  { userId, sourceId, event }: { readonly userId: string; readonly sourceId?: number; readonly event: string },
): Promise<DrillView> {
  const source = sourceOf(sources, sourceId);
  const messageId = `drill-${ids.uuid()}`;
  const newest = lists.idRange()?.last ?? 0;
  const answer = await ingest.handle({
    method: 'POST',
    target: '/v1/track',
    headers: [
      ['Host', 'localhost'],
      ['Authorization', `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'Hookbench drill'],
    ],
    body: Buffer.from(JSON.stringify({ userId, event, properties: {}, messageId })),
    remote: '127.0.0.1',
  });
  // In strict mode the answer says why the call was rejected; it is stored all the same.
  const row = lists.window(newest + 1, 500).find((message) => message.messageId === messageId);
  if (row === undefined || answer.status >= 500) throw new ContractError('store_not_writable');
  const { id, state, reason, receivedAt } = row;
  return { messageId: id, state, reason, sourceName: source.name, receivedAt };
}
