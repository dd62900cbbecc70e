import { Bookmark, BookmarkPlus, ChevronDown, Pencil } from 'lucide-react';
import { memo, useMemo } from 'react';
import { printFilter } from '../../../contract/filter.ts';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { formatCountShort } from '../../lib/format.ts';
import { isEmpty, type Query } from '../../stores/live/filter.ts';
import { isFilterOf, type NamedFilter, shownFilters } from '../../stores/live/saved-filters.ts';
import { filterContext, liveStream } from '../../stores/live/store.ts';
import { fitChips, SAVED_MORE_PX } from './fit-chips.ts';
import css from './state-chips.module.css';
import { applyFilter, useMatchCounts, useSaved, useSavedDialog } from './use-saved-filters.ts';

/**
 * Saved filters with their counts among all messages, as many as fit into `width` px. The others, and what saves and
 * edits them, are in a menu at the end. They do not depend on the text, so that no key draws them.
 */
export const SavedChips = memo(function SavedChips({ terms, width }: { terms: Query['terms']; width: number }) {
  const saved = useSaved();
  const filters = useMemo(() => shownFilters(saved), [saved]);
  const matching = useMatchCounts(filters.map(({ filter }) => filter));
  const countOf = ({ filter }: NamedFilter) => matching(filter);
  const wordsOf = (one: NamedFilter): string => {
    const count = countOf(one);
    return count === null ? one.name : `${one.name} ${formatCountShort(count)}`;
  };
  const chips = filters.map((one) => ({ one, words: wordsOf(one) }));
  const { fit, rest } = fitChips(chips, width - SAVED_MORE_PX, 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own box
    <div className={css.group} role="group" aria-label="Saved filters">
      <hr className={css.divider} />
      {fit.map(({ one }) => (
        <SavedChip
          key={`${one.builtIn ?? ''}:${one.name}`}
          one={one}
          count={countOf(one)}
          pressed={isFilterOf(terms, one.filter)}
        />
      ))}
      <Menu
        align="end"
        trigger={
          <button type="button">
            <Bookmark className="icon" aria-hidden="true" />
            {rest.length === 0 ? 'Saved' : `${rest.length} more`}
            <span className="visually-hidden"> filters</span>
            <ChevronDown className="icon" aria-hidden="true" />
          </button>
        }
        items={() => menuItems(rest, countOf)}
      />
    </div>
  );
});

interface SavedChipProps {
  readonly one: NamedFilter;
  readonly count: number | null;
  readonly pressed: boolean;
}

const SavedChip = memo(function SavedChip({ one, count, pressed }: SavedChipProps) {
  const chip = (
    <button type="button" aria-pressed={pressed} onClick={() => applyFilter(one)}>
      <Bookmark className="icon" aria-hidden="true" />
      {one.name} <i>{count === null ? '' : formatCountShort(count)}</i>
    </button>
  );
  return one.hint === undefined ? chip : <Tooltip label={one.hint}>{chip}</Tooltip>;
});

function menuItems(
  rest: ReadonlyArray<{ readonly one: NamedFilter }>,
  countOf: (one: NamedFilter) => number | null,
): MenuItem[] {
  const { sources } = filterContext();
  const items: MenuItem[] = rest.map(({ one }) => {
    const count = countOf(one);
    return {
      label: one.name,
      isName: true,
      icon: Bookmark,
      detail: printFilter(one.filter, sources),
      ...(count !== null && { hint: formatCountShort(count) }),
      ...(one.hint !== undefined && { title: one.hint }),
      run: () => applyFilter(one),
    };
  });
  if (items.length > 0) {
    items.unshift({ kind: 'text', text: 'Saved filters' });
    items.push('divider');
  }
  const edit = () => useSavedDialog.setState({ open: true });
  if (!isEmpty(liveStream.snapshot().query))
    items.push({ label: 'Save this filter', icon: BookmarkPlus, keys: 'Ctrl S', run: edit });
  items.push({ label: 'Edit saved filters', icon: Pencil, run: edit });
  return items;
}
