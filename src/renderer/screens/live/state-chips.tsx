import { useState } from 'react';
import type { MessageStateName } from '../../../contract/values.ts';
import { StateGlyph } from '../../components/glyph.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { formatCountShort } from '../../lib/format.ts';
import { STATE_WORDS } from '../../lib/words.ts';
import { type Query, toggleMark } from '../../stores/live-filter.ts';
import type { LiveSnapshot } from '../../stores/live-snapshot.ts';
import { liveStream } from '../../stores/live-store.ts';
import { useRecords } from '../../stores/records.ts';

/** What may need a decision; delivered and queued are in the Filter menu. */
const CHIPS: readonly MessageStateName[] = [
  'retrying',
  'failed',
  'expired',
  'rejected',
  'not_selected',
  'paused',
  'stopped',
];

/** States with their counts; a click shows that state only. */
export function StateChips({ live }: { live: LiveSnapshot }) {
  const counts = useRecords((state) => state.status?.counts);
  const total = useRecords((state) => state.status?.total ?? 0);
  const chips = useSeen(counts);
  const { query } = live;
  const seenSilent = (counts?.rejected ?? 0) > 0 || query.is.includes('silent');
  const only = (states: MessageStateName[]) =>
    liveStream.setQuery({ ...query, states, is: query.is.filter((mark) => mark !== 'silent') });
  return (
    <div className="lv-chips row">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own box */}
      <div className="row lv-chip-row" role="group" aria-label="Message state">
        <button type="button" aria-pressed={query.states.length === 0} onClick={() => only([])}>
          All <i>{formatCountShort(total)}</i>
        </button>
        {chips.map((state) => {
          const pressed = query.states.length === 1 && query.states[0] === state;
          return (
            <button key={state} type="button" aria-pressed={pressed} onClick={() => only(pressed ? [] : [state])}>
              <StateGlyph state={state} />
              {STATE_WORDS[state].word} <i>{formatCountShort(counts?.[state] ?? 0)}</i>
            </button>
          );
        })}
        {seenSilent && <SilentChip query={query} />}
      </div>
      <span className="sp" />
      <ListNote live={live} />
    </div>
  );
}

/** Calls that Segment would answer with 200 and drop: an SDK never hears of it. */
function SilentChip({ query }: { query: Query }) {
  const pressed = query.is.includes('silent');
  return (
    <Tooltip label="Calls that Segment answers with 200 and drops. The SDK never hears of it.">
      <button
        type="button"
        aria-pressed={pressed}
        onClick={() => liveStream.setQuery({ ...toggleMark(query, 'silent'), states: [] })}
      >
        Silent 200
      </button>
    </Tooltip>
  );
}

/** A state that was seen once keeps its chip, so that the others do not jump. */
function useSeen(counts: Record<MessageStateName, number> | undefined): MessageStateName[] {
  const [seen] = useState(() => new Set<MessageStateName>());
  for (const state of CHIPS) if ((counts?.[state] ?? 0) > 0) seen.add(state);
  return CHIPS.filter((state) => seen.has(state));
}

function ListNote({ live }: { live: LiveSnapshot }) {
  if (live.scanning) return <span className="t3 lv-note">Searching</span>;
  if (live.cleared > 0) {
    return (
      <button type="button" className="lv-note" onClick={() => liveStream.unclear()}>
        Show {formatCountShort(live.cleared)} cleared
      </button>
    );
  }
  return <span className="t3 lv-note">Newest first</span>;
}
