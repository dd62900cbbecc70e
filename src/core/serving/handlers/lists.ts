/** Lists of messages and attempts: by rank, by filter, by id, and page by page for the command line. */
import type { Handlers } from '../../../contract/channel.ts';
import type { Clock } from '../../ports.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { Ranks } from '../../store/ranks.ts';
import { attemptView, messageRow } from '../views.ts';
import { nextId } from './message-record.ts';

/** How long a scan may look at rows before it answers with what it has found. */
const SCAN_MS = 6;

export interface ListDeps {
  readonly lists: ListStore;
  readonly details: Pick<DetailStore, 'attemptsAfter'>;
  readonly ranks: Ranks;
  readonly clock: Pick<Clock, 'mono'>;
}

type ListCommand =
  | 'messages.window'
  | 'messages.ids'
  | 'messages.counts'
  | 'messages.byIds'
  | 'messages.list'
  | 'attempts.list';

export function listHandlers({ lists, details, ranks, clock }: ListDeps): Pick<Handlers, ListCommand> {
  const forSomeTime = () => {
    const until = clock.mono() + SCAN_MS;
    return { keepGoing: () => clock.mono() < until };
  };
  return {
    'messages.window': ({ fromRank, count }) => {
      const first = ranks.idAt(fromRank);
      return { total: ranks.total, rows: first === undefined ? [] : lists.window(first, count).map(messageRow) };
    },
    'messages.ids': ({ filter, before = nextId(lists), after = 0, limit }) =>
      lists.ids({ filter, before, after, limit, ...forSomeTime() }),
    'messages.counts': ({ filter, before, after }) => {
      const { first, last } = lists.idRange() ?? { first: 1, last: 0 };
      const scan = { filter, before: before ?? last + 1, after: Math.max(after ?? 0, first - 1) };
      const page = lists.tally({ ...scan, ...forSomeTime() });
      return { ...page, newest: last, oldest: last === 0 ? 0 : first, total: ranks.total };
    },
    'messages.byIds': ({ ids }) => lists.messages(ids).map(messageRow),
    'messages.list': ({ filter, before = nextId(lists), limit }) => {
      const page = lists.ids({ filter, before, after: 0, limit, ...forSomeTime() });
      return { rows: lists.messages(page.ids).map(messageRow), nextBefore: page.more ? page.scannedTo : null };
    },
    'attempts.list': ({ messageId, after, limit }) => {
      const rows = details
        .attemptsAfter({ after: after ?? 0, messageId, limit })
        .map((one) => ({ ...attemptView(one), message: one.message }));
      return { rows, nextAfter: rows.length === limit ? rows[rows.length - 1]!.id : null };
    },
  };
}
