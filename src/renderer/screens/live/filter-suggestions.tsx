import { StateGlyph } from '../../components/glyph.tsx';
import { Kbd } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { STATE_WORDS } from '../../lib/words/states.ts';
import type { Suggestion } from '../../stores/live/suggestions.ts';
import { MOST_VALUES } from '../../stores/live/value-counts.ts';
import css from './filter-suggestions.module.css';
import type { SuggestionList } from './use-suggestions.ts';

export const SUGGESTIONS_ID = 'live-filter-suggestions';
export const optionId = (place: number): string => `${SUGGESTIONS_ID}-${place}`;

const wordOf = ({ text, state }: Suggestion): string => (state === undefined ? text : STATE_WORDS[state].word);

/** Suggested values with their counts, and more filters below. Keys are heard in the field, which keeps the focus. */
export function FilterSuggestions({ list }: { list: SuggestionList }) {
  const { suggestions, values, none, more, total } = list;
  const key = suggestions?.key ?? null;
  return (
    <div className={css.popover}>
      {key !== null && (
        <div className={css.head}>
          <Text ltr className="mono">{`${key}:`}</Text>
          {total !== null && <span className="muted">in the {formatCount(total)} that match so far</span>}
          <Counting counted={list.counted} />
          <span className={cx('muted', css.note)}>comma for several, – to exclude</span>
        </div>
      )}
      <div id={SUGGESTIONS_ID} role="listbox" aria-label="Suggestions">
        {values.map((item, i) => (
          <Option key={item.text} list={list} item={item} place={i}>
            {item.state !== undefined && <StateGlyph state={item.state} still />}
            <span className={cx('ellipsis', css.value)}>
              <Text>{wordOf(item)}</Text>
            </span>
            {item.help !== undefined && (
              <span className="muted ellipsis">
                <Text>{item.help}</Text>
              </span>
            )}
            {item.count !== undefined && (
              <span className={cx(css.count, item.count === 0 && 'muted')}>{formatCount(item.count)}</span>
            )}
          </Option>
        ))}
        {none.length > 0 && (
          <div className={css.none}>
            None of these: <Text>{none.map(wordOf).join(', ')}</Text>
          </div>
        )}
        {more.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a list box may hold groups, and no fieldset
          <div role="group" aria-label="More filters" className={cx(key !== null && css.more)}>
            {key !== null && <div className={css.none}>More filters</div>}
            {more.map((item, i) => (
              <Option key={item.text} list={list} item={item} place={values.length + i}>
                <Text ltr className={cx('mono', css.example)}>
                  {item.text}
                </Text>
                <span className="muted">{item.help}</span>
              </Option>
            ))}
          </div>
        )}
      </div>
      <div className={css.keys}>
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> choose <Kbd>↵</Kbd> add <Kbd>⇥</Kbd> complete
        <button type="button" className={css.all} onMouseDown={keepFocus} onClick={list.toggleAll}>
          {list.showsAll ? 'Fewer filters' : 'All filters'}
        </button>
      </div>
    </div>
  );
}

/** How far the numbers are, and when not every value has one. */
function Counting({ counted }: { counted: SuggestionList['counted'] }) {
  if (counted === null) return null;
  if (counted.progress !== null) return <span className="muted">counting, {Math.floor(counted.progress * 100)}%</span>;
  return counted.counts.isCut ? (
    <span className="muted">of more than {formatCount(MOST_VALUES)} values, the newest ones</span>
  ) : null;
}

const keepFocus = (event: { preventDefault(): void }): void => event.preventDefault();

function Option({
  list,
  item,
  place,
  children,
}: {
  list: SuggestionList;
  item: Suggestion;
  place: number;
  children: React.ReactNode;
}) {
  const active = list.active === place;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard in the field
    <div
      id={optionId(place)}
      role="option"
      aria-selected={active}
      className={cx(css.option, active && css.active)}
      onMouseDown={keepFocus}
      onClick={() => list.choose(item)}
    >
      {children}
    </div>
  );
}
