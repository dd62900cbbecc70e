import { SearchX } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatCount } from '../../lib/format.ts';
import { useLate } from '../../lib/use-late.ts';
import { emptyQuery, type Query, toFilter, tokensOf } from '../../stores/live/filter.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream } from '../../stores/live/store.ts';
import { useRecords } from '../../stores/records.ts';
import css from './no-match.module.css';
import { useMatchCounts } from './use-saved-filters.ts';

/** A new filter keeps the words of the one before for so long, in milliseconds. */
const PATIENCE_MS = 300;
/** Each token costs a count of all messages. */
const MOST_TOKENS = 10;

/** The filter has found nothing, so far or at all. */
export function NoMatch({ live }: { live: LiveSnapshot }) {
  const isLate = useLate(live.starting, PATIENCE_MS);
  const searching = live.scanning && (!live.starting || isLate);
  return (
    <EmptyState
      icon={SearchX}
      title={searching ? 'Searching' : 'No message matches.'}
      actions={
        <>
          <Button onClick={() => liveStream.setQuery(emptyQuery)}>Clear filter</Button>
          {!live.scanning && <LessOne read={live.read} />}
        </>
      }
    />
  );
}

/** Offers to remove the one token without which the most messages match. */
function LessOne({ read }: { read: Query }) {
  const sources = useRecords((state) => state.sources);
  const { terms } = read;
  const isAsked = terms.length > 1 && terms.length <= MOST_TOKENS;
  const tokens = isAsked ? tokensOf(read, sources) : [];
  const countOf = useMatchCounts(tokens.map(({ without }) => toFilter(without)));
  const counts = tokens.map(({ without }) => countOf(toFilter(without)));
  const most = Math.max(0, ...counts.map((n) => n ?? 0));
  const token = tokens[counts.indexOf(most)];
  if (most === 0 || token === undefined || counts.includes(null)) return null;
  return (
    <Button className={css.token} onClick={() => liveStream.setQuery(token.without)}>
      <span className="ellipsis">
        {formatCount(most)} {most === 1 ? 'matches' : 'match'} without <span className="mono">{token.text}</span>
      </span>
    </Button>
  );
}
