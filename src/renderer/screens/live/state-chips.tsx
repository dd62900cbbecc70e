import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { MessageStateName } from '../../../contract/values.ts';
import { useWidth } from '../../components/charts/use-width.ts';
import { StateGlyph } from '../../components/glyph.tsx';
import { Menu } from '../../components/menu.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCountShort } from '../../lib/format.ts';
import { STATE_ORDER, STATE_WORDS } from '../../lib/words/states.ts';
import { type Query, toggled, valuesAsked, withValues } from '../../stores/live/filter.ts';
import { type CountsView, type StateCounts, sumOf } from '../../stores/live/filter-counts.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { filterContext, liveStream } from '../../stores/live/store.ts';
import { takeTokens } from '../../stores/live/tokens.ts';
import { useRecords } from '../../stores/records.ts';
import { countsShown } from './counts-shown.ts';
import { fitChips, MORE_PX, SAVED_MORE_PX, widthOfChip } from './fit-chips.ts';
import { SavedChips } from './saved-chips.tsx';
import css from './state-chips.module.css';

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
  const { read, query } = live;
  const chosen = valuesAsked(read, 'status');
  const countText = (n: number): string => shortCount(n, shown);
  const all = countText(sumOf(counts));
  const chip = (state: MessageStateName) => ({
    state,
    words: `${STATE_WORDS[state].word} ${countText(counts[state] ?? 0)}`,
  });
  const before = widthOfChip(`All ${all}`, false);
  // The menu of saved filters always has its room.
  const free = width - before - SAVED_MORE_PX;
  const { fit, rest } = fitChips(states.map(chip), free, MORE_PX);
  const used = fit.reduce((sum, { words }) => sum + widthOfChip(words, true), rest.length > 0 ? MORE_PX : 0);
  return (
    <div className={cx('flex-row', css.chips)}>
      <div ref={row} className={cx('flex-row', css.chipRow)}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own box */}
        <div className={css.group} role="group" aria-label="Message state">
          <Chip pressed={chosen.length === 0} onClick={() => show(live, [])}>
            All <i>{shown === null ? '' : all}</i>
          </Chip>
          {fit.map(({ state }) => {
            const only = chosen.length === 1 && chosen[0] === state;
            return (
              <Chip key={state} pressed={chosen.includes(state)} onClick={() => show(live, only ? [] : [state])}>
                <StateGlyph state={state} still />
                {STATE_WORDS[state].word} <i>{countText(counts[state] ?? 0)}</i>
              </Chip>
            );
          })}
          {rest.length > 0 && <MoreChips live={live} chips={rest} />}
        </div>
        <SavedChips terms={query.terms} width={free - used + SAVED_MORE_PX} />
      </div>
      <ListNote live={live} />
    </div>
  );
}

/** While messages are still counted, `12+`: at least so many. */
const shortCount = (n: number, shown: CountsView | null): string =>
  `${formatCountShort(n)}${shown === null || shown.progress === null ? '' : '+'}`;

/** Replaces the chosen states by these, and turns typed text into tokens. */
const show = (live: LiveSnapshot, states: readonly MessageStateName[]): void =>
  liveStream.setQuery(withValues(baseOf(live), 'status', states));

/** Replaces unreadable text by the last readable one. */
const baseOf = ({ query, read, problem }: LiveSnapshot): Query =>
  problem === null ? takeTokens(query, filterContext(), true) : read;

function Chip({ pressed, onClick, children }: { pressed: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" aria-pressed={pressed} onClick={onClick}>
      {children}
    </button>
  );
}

function MoreChips({
  live,
  chips,
}: {
  live: LiveSnapshot;
  chips: ReadonlyArray<{ state: MessageStateName; words: string }>;
}) {
  const chosen = chips.some(({ state }) => valuesAsked(live.read, 'status').includes(state));
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" aria-pressed={chosen}>
          {chips.length} more
          <span className="visually-hidden"> states</span>
          <ChevronDown className="icon" aria-hidden="true" />
        </button>
      }
      items={chips.map(({ state, words }) => ({
        kind: 'toggle',
        label: words,
        checked: valuesAsked(live.read, 'status').includes(state),
        onChange: () => liveStream.setQuery(toggled(baseOf(live), 'status', state)),
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
  if (live.hidden > 0) {
    return (
      <button type="button" className={css.note} onClick={() => liveStream.unhide()}>
        Show {formatCountShort(live.hidden)} hidden
      </button>
    );
  }
  return <span className={cx('muted', css.note)}>Newest first</span>;
}
