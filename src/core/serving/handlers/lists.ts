/** Lists of messages and attempts: by rank, by filter, by id, and page by page for the command line. */
import type { Handlers } from '../../../contract/channel.ts';
import type { Clock, Timers } from '../../ports.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { Ranks } from '../../store/ranks.ts';
import { attemptView, messageRow } from '../views.ts';
import { IndexedScan, type Stretch, type TextIndex } from './indexed-scan.ts';
import { nextId } from './message-record.ts';
import { rankNear } from './time-place.ts';

/** How long a scan may look at rows before it answers with what it has found. */
const SCAN_MS = 6;
/** How many scans, with other work between them, are made for one answer that would else bring no row. */
const MOST_SCANS = 5;

export interface ListDeps {
  readonly lists: ListStore;
  readonly details: Pick<DetailStore, 'attemptsAfter' | 'idsOf'>;
  readonly ranks: Ranks;
  readonly index: TextIndex;
  readonly clock: Pick<Clock, 'mono'>;
  readonly timers: Pick<Timers, 'soon'>;
}

/** A count of all messages that match, or of those below `before` and above `after`. */
type Counted = Pick<Stretch, 'filter'> & Partial<Pick<Stretch, 'before' | 'after'>>;

type ListCommand =
  | 'messages.window'
  | 'messages.ranks'
  | 'messages.ids'
  | 'messages.counts'
  | 'messages.values'
  | 'messages.at'
  | 'messages.byIds'
  | 'messages.find'
  | 'messages.list'
  | 'attempts.list';

export function listHandlers(deps: ListDeps): Pick<Handlers, ListCommand> {
  const { lists, details, ranks, index, clock, timers } = deps;
  const forSomeTime = () => {
    const until = clock.mono() + SCAN_MS;
    return () => clock.mono() < until;
  };
  const scan = new IndexedScan({ lists, index, forSomeTime });
  const counted = async <P>({ filter, before, after }: Counted, count: (stretch: Stretch) => Promise<P>) => {
    const { first, last } = lists.idRange() ?? { first: 1, last: 0 };
    const page = await count({ filter, before: before ?? last + 1, after: Math.max(after ?? 0, first - 1) });
    return { ...page, newest: last, oldest: last === 0 ? 0 : first, total: ranks.total };
  };
  return {
    'messages.window': ({ fromRank, count }) => {
      const first = ranks.idAt(fromRank);
      return { total: ranks.total, rows: first === undefined ? [] : lists.window(first, count).map(messageRow) };
    },
    'messages.ranks': ({ ids }) => ({ total: ranks.total, ranks: ids.map((id) => ranks.rankOf(id)) }),
    'messages.ids': async ({ filter, before = nextId(lists), after = 0, limit, rows = 0 }) => {
      let page = await scan.ids({ filter, before, after, limit });
      for (let n = 1; rows > 0 && page.ids.length === 0 && page.more && n < MOST_SCANS; n += 1) {
        await new Promise<void>((next) => timers.soon(next));
        page = await scan.ids({ filter, before: page.scannedTo, after, limit });
      }
      return { ...page, rows: lists.messages(page.ids.slice(0, rows)).map(messageRow) };
    },
    'messages.counts': (input) => counted(input, (stretch) => scan.tally(stretch)),
    'messages.values': ({ key, ...input }) => counted(input, (stretch) => scan.values({ key, ...stretch })),
    'messages.at': ({ time }) => {
      const rank = rankNear(time, ranks, lists);
      const id = rank === null ? undefined : ranks.idAt(rank);
      return { rank, row: id === undefined ? null : (lists.messages([id]).map(messageRow)[0] ?? null) };
    },
    'messages.byIds': ({ ids }) => lists.messages(ids).map(messageRow),
    'messages.find': ({ messageId }) => lists.messages(details.idsOf(messageId)).map(messageRow),
    'messages.list': async ({ filter, before = nextId(lists), limit }) => {
      const page = await scan.ids({ filter, before, after: 0, limit });
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
