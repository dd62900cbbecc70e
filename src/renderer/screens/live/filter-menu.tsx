import { ListFilter } from 'lucide-react';
import { memo } from 'react';
import { MESSAGE_TYPES } from '../../../contract/names.ts';
import type { SourceView } from '../../../contract/values.ts';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { STATE_ORDER, STATE_WORDS } from '../../lib/words/states.ts';
import { emptyQuery, isEmpty, type Query, toggled, valuesAsked, withValues } from '../../stores/live/filter.ts';
import { useJumpDialog } from '../../stores/live/jump-dialog.ts';
import { liveStream } from '../../stores/live/store.ts';
import { MenuButton } from './menu-button.tsx';

type Change = (change: (query: Query) => Query) => void;

/** Builds the filter from menus instead of text. It does not depend on the text, so that no key draws it. */
export const FilterMenu = memo(function FilterMenu({
  terms,
  sources,
  onChange,
}: {
  terms: Query['terms'];
  sources: readonly SourceView[];
  /** Gets a change of whatever the query is when an item is chosen. */
  onChange: Change;
}) {
  return (
    <Menu
      align="end"
      trigger={<MenuButton icon={ListFilter}>Filter</MenuButton>}
      items={() => filterItems({ terms, text: '' }, sources, onChange)}
    />
  );
});

function filterItems(query: Query, sources: readonly SourceView[], set: Change): MenuItem[] {
  const items: MenuItem[] = MESSAGE_TYPES.filter((type) => type !== 'unknown').map((type) => ({
    kind: 'toggle',
    label: type,
    checked: valuesAsked(query, 'type').includes(type),
    onChange: () => set((now) => toggled(now, 'type', type)),
  }));
  items.push('divider');
  for (const state of STATE_ORDER) {
    items.push({
      kind: 'toggle',
      label: STATE_WORDS[state].word,
      checked: valuesAsked(query, 'status').includes(state),
      onChange: () => set((now) => toggled(now, 'status', state)),
    });
  }
  if (sources.length > 1) {
    items.push('divider', {
      kind: 'choice',
      label: 'Source',
      value: String(valuesAsked(query, 'source')[0] ?? ''),
      options: [
        { value: '', label: 'All sources' },
        ...sources.map(({ id, name }) => ({ value: String(id), label: name })),
      ],
      onChange: (value) => set((now) => withValues(now, 'source', value === '' ? [] : [Number(value)])),
    });
  }
  items.push('divider', { label: 'Jump to time', keys: '⇧ T', run: () => useJumpDialog.setState({ open: true }) });
  if (!isEmpty(liveStream.snapshot().query))
    items.push('divider', { label: 'Clear filter', run: () => set(() => emptyQuery) });
  return items;
}
