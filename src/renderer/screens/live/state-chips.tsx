import { type ReactNode, useState } from 'react';
import type { MessageStateName } from '../../../contract/values.ts';
import { useWidth } from '../../components/charts/use-width.ts';
import { StateGlyph } from '../../components/glyph.tsx';
import { Menu } from '../../components/menu.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCountShort } from '../../lib/format.ts';
import { STATE_ORDER, STATE_WORDS } from '../../lib/words/states.ts';
import { type Query, toggleState } from '../../stores/live/filter.ts';
import { type StateCounts, sumOf } from '../../stores/live/filter-counts.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream } from '../../stores/live/store.ts';
import { takeTokens } from '../../stores/live/tokens.ts';
import { useRecords } from '../../stores/records.ts';
import { countsShown } from './counts-shown.ts';
import { fitChips, MORE_PX, widthOfChip } from './fit-chips.ts';
import css from './state-chips.module.css';

const DROPPED_WORDS = '200 but dropped';
/** Assumed width of the row before it is measured, in px. */
const USUAL_WIDTH = 600;

/**
 * Every state seen so far with its count of matching messages. The counts add up to All. A click shows only that state.
 * Chips that do not fit are in a menu at the end.
 */
export function StateChips({ live }: { live: LiveSnapshot }) {
  const status = useRecords((state) => state.status);
  const shown = countsShown(live, status);
  const counts: StateCounts = shown?.counts ?? {};
  const states = useSeen(counts);
  const [row, width] = useWidth<HTMLDivElement>(USUAL_WIDTH);
  const { read } = live;
  const all = sumOf(counts);
  const offersDropped = (status?.counts.rejected ?? 0) > 0 || isDropped(read);
  const chip = (state: MessageStateName) => ({
    state,
    words: `${STATE_WORDS[state].word} ${countText(counts, state)}`,
  });
  const before = widthOfChip(`All ${formatCountShort(all)}`, false);
  const after = offersDropped ? widthOfChip(DROPPED_WORDS, false) : 0;
  const { fit, rest } = fitChips(states.map(chip), width - before - after, MORE_PX);
  return (
    <div className={cx('flex-row', css.chips)}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own box */}
      <div ref={row} className={cx('flex-row', css.chipRow)} role="group" aria-label="Message state">
        <Chip pressed={read.states.length === 0 && !isDropped(read)} onClick={() => show(live, [], false)}>
          All <i>{shown === null ? '' : formatCountShort(all)}</i>
        </Chip>
        {fit.map(({ state }) => {
          const only = read.states.length === 1 && read.states[0] === state;
          return (
            <Chip
              key={state}
              pressed={read.states.includes(state)}
              onClick={() => show(live, only ? [] : [state], false)}
            >
              <StateGlyph state={state} />
              {STATE_WORDS[state].word} <i>{countText(counts, state)}</i>
            </Chip>
          );
        })}
        {offersDropped && <DroppedChip live={live} />}
        {rest.length > 0 && <MoreChips live={live} chips={rest} />}
      </div>
      <ListNote live={live} />
    </div>
  );
}

const isDropped = ({ is }: Query): boolean => is.includes('dropped') || is.includes('silent');
const countText = (counts: StateCounts, state: MessageStateName): string => formatCountShort(counts[state] ?? 0);

/** Replaces the chosen states by these, and turns typed text into tokens. */
function show(live: LiveSnapshot, states: readonly MessageStateName[], dropped: boolean): void {
  const query = baseOf(live);
  const is = query.is.filter((mark) => mark !== 'silent' && mark !== 'dropped');
  liveStream.setQuery({ ...query, states, is: dropped ? [...is, 'dropped'] : is });
}

/** Replaces unreadable text by the last readable one. */
const baseOf = ({ query, read, problem }: LiveSnapshot): Query =>
  problem === null ? takeTokens(query, useRecords.getState().sources, true) : read;

function Chip({ pressed, onClick, children }: { pressed: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" aria-pressed={pressed} onClick={onClick}>
      {children}
    </button>
  );
}

/** Calls that Segment would answer with 200 and drop without telling the SDK. */
function DroppedChip({ live }: { live: LiveSnapshot }) {
  const pressed = isDropped(live.read);
  return (
    <Tooltip label="The SDK was told 200. Segment would drop the call without a word.">
      <button type="button" aria-pressed={pressed} onClick={() => show(live, [], !pressed)}>
        {DROPPED_WORDS}
      </button>
    </Tooltip>
  );
}

function MoreChips({
  live,
  chips,
}: {
  live: LiveSnapshot;
  chips: ReadonlyArray<{ state: MessageStateName; words: string }>;
}) {
  const chosen = chips.some(({ state }) => live.read.states.includes(state));
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-pressed={chosen}>
          {chips.length} more
        </button>
      }
      items={chips.map(({ state, words }) => ({
        kind: 'toggle',
        label: words,
        checked: live.read.states.includes(state),
        onChange: () => liveStream.setQuery(toggleState(baseOf(live), state)),
      }))}
    />
  );
}

/** A state that was seen once keeps its chip, so that the others do not jump. */
function useSeen(counts: StateCounts): MessageStateName[] {
  const [seen] = useState(() => new Set<MessageStateName>());
  for (const state of STATE_ORDER) if ((counts[state] ?? 0) > 0) seen.add(state);
  return STATE_ORDER.filter((state) => seen.has(state));
}

function ListNote({ live }: { live: LiveSnapshot }) {
  if (live.scanning) return <span className={cx('muted', css.note)}>Searching</span>;
  if (live.cleared > 0) {
    return (
      <button type="button" className={css.note} onClick={() => liveStream.unclear()}>
        Show {formatCountShort(live.cleared)} cleared
      </button>
    );
  }
  return <span className={cx('muted', css.note)}>Newest first</span>;
}
