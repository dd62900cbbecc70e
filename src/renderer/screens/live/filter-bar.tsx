import { Columns3, ListFilter, Search, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect } from 'react';
import { MESSAGE_STATES, MESSAGE_TYPES } from '../../../contract/names.ts';
import { Button, type ButtonProps, IconButton } from '../../components/button.tsx';
import { Input } from '../../components/input.tsx';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { Kbd } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount } from '../../lib/format.ts';
import { STATE_ORDER, STATE_WORDS } from '../../lib/words/states.ts';
import {
  emptyQuery,
  isEmpty,
  MAX_TEXT,
  type Query,
  toggleState,
  toggleType,
  tokensOf,
} from '../../stores/live/filter.ts';
import {
  type Density,
  OPTIONAL_COLUMNS,
  type OptionalColumn,
  toggleColumn,
  useLivePreferences,
} from '../../stores/live/preferences.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream } from '../../stores/live/store.ts';
import { takeTokens } from '../../stores/live/tokens.ts';
import { useRecords } from '../../stores/records.ts';
import { countsShown } from './counts-shown.ts';
import type { Column } from './grid/columns.ts';

/** Typing asks the engine after this pause, in milliseconds. */
const TYPING_MS = 80;
const PROBLEM_ID = 'live-filter-problem';

export function FilterBar({
  live,
  shown,
  field,
}: {
  live: LiveSnapshot;
  /** Columns that fit now. */
  shown: readonly Column[];
  field: Ref<HTMLInputElement>;
}) {
  const sources = useRecords((state) => state.sources);
  const { query, problem } = live;
  const tokens = tokensOf(query, sources);
  const set = (next: Query, done = false) => liveStream.setQuery(next, { done });

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') set(takeTokens(query, sources, true), true);
    else if (event.key === 'Backspace' && event.currentTarget.selectionEnd === 0) {
      const last = tokens.at(-1);
      if (last !== undefined) set(last.without);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (isEmpty(query)) event.currentTarget.blur();
      else set(emptyQuery);
    }
  };
  return (
    <div className="lv-tool" data-region="filter">
      <div className="row">
        <Input
          ref={field}
          role="searchbox"
          aria-label="Filter messages"
          aria-describedby={problem === null ? undefined : PROBLEM_ID}
          invalid={problem !== null}
          placeholder={tokens.length === 0 ? 'Filter by event, user, message id or text in the body' : ''}
          value={query.text}
          maxLength={MAX_TEXT}
          boxClassName="lv-filter"
          onKeyDown={onKeyDown}
          onChange={(event) => {
            const typed = { ...query, text: event.target.value };
            const next = takeTokens(typed, sources);
            liveStream.setQuery(next, { delayMs: next === typed ? TYPING_MS : 0 });
          }}
          leading={
            <>
              <Search className="ic s14" aria-hidden="true" />
              {tokens.map((token) => (
                <button
                  key={token.text}
                  type="button"
                  className="tok lv-tok"
                  aria-label={`Remove ${token.text}`}
                  onClick={() => set(token.without)}
                >
                  <span className="el">
                    <Text ltr>{token.text}</Text>
                  </span>
                  <X className="ic" aria-hidden="true" />
                </button>
              ))}
            </>
          }
          trailing={
            isEmpty(query) ? (
              <Kbd>/</Kbd>
            ) : (
              <>
                <MatchCount live={live} />
                <IconButton label="Clear filter" icon={X} size="sm" onClick={() => set(emptyQuery)} />
              </>
            )
          }
        />
        <Menu
          align="end"
          trigger={<MenuButton icon={ListFilter}>Filter</MenuButton>}
          items={filterItems(query, sources, set)}
        />
        <ColumnsMenu shown={shown} />
      </div>
      {problem !== null && (
        <p id={PROBLEM_ID} className="field-error lv-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** `21 of 1,284`, while counting `21 of 1,284 so far, 62%`. */
function MatchCount({ live: { read, counts } }: { live: LiveSnapshot }) {
  const status = useRecords((state) => state.status);
  const shown = countsShown({ read, counts }, status);
  if (isEmpty(read) || shown === null) return null;
  const states = read.states.length === 0 ? MESSAGE_STATES : read.states;
  const matching = states.reduce((sum, state) => sum + (shown.counts[state] ?? 0), 0);
  return (
    <span className="lv-count s12 nw" role="status">
      <b className="b5">{formatCount(matching)}</b> of {formatCount(shown.total)}
      {shown.progress !== null && ` so far, ${Math.floor(shown.progress * 100)}%`}
    </span>
  );
}

function filterItems(
  query: Query,
  sources: ReadonlyArray<{ id: number; name: string }>,
  set: (q: Query) => void,
): MenuItem[] {
  const items: MenuItem[] = MESSAGE_TYPES.filter((type) => type !== 'unknown').map((type) => ({
    kind: 'toggle',
    label: type,
    checked: query.types.includes(type),
    onChange: () => set(toggleType(query, type)),
  }));
  items.push('divider');
  for (const state of STATE_ORDER) {
    items.push({
      kind: 'toggle',
      label: STATE_WORDS[state].word,
      checked: query.states.includes(state),
      onChange: () => set(toggleState(query, state)),
    });
  }
  if (sources.length > 1) {
    items.push('divider', {
      kind: 'choice',
      label: 'Source',
      value: String(query.sourceId ?? ''),
      options: [
        { value: '', label: 'All sources' },
        ...sources.map(({ id, name }) => ({ value: String(id), label: name })),
      ],
      onChange: (value) => set({ ...query, sourceId: value === '' ? null : Number(value) }),
    });
  }
  if (!isEmpty(query)) items.push('divider', { label: 'Clear filter', run: () => set(emptyQuery) });
  return items;
}

const COLUMN_NAMES: Record<OptionalColumn, string> = {
  source: 'Source',
  size: 'Size',
  round: 'Round',
  messageId: 'Message id',
};

const DENSITIES: ReadonlyArray<{ value: Density; label: string }> = [
  { value: 'compact', label: 'Compact' },
  { value: 'default', label: 'Default' },
  { value: 'comfortable', label: 'Comfortable' },
];

function ColumnsMenu({ shown }: { shown: readonly Column[] }) {
  const { columns, density } = useLivePreferences();
  const hidden = columns.filter((column) => !shown.includes(column)).map((column) => COLUMN_NAMES[column]);
  return (
    <Menu
      align="end"
      header={hidden.length > 0 && <p className="menu-head s12 t2">No room for {hidden.join(', ')}. Widen the list.</p>}
      trigger={
        <MenuButton className="ico" aria-label="Columns" title="Columns">
          <Columns3 className="ic s14" aria-hidden="true" />
        </MenuButton>
      }
      items={[
        ...OPTIONAL_COLUMNS.map(
          (column): MenuItem => ({
            kind: 'toggle',
            label: COLUMN_NAMES[column],
            checked: columns.includes(column),
            onChange: () => toggleColumn(column),
          }),
        ),
        'divider',
        {
          kind: 'choice',
          label: 'Rows',
          value: density,
          options: DENSITIES,
          onChange: (value) => useLivePreferences.setState({ density: value as Density }),
        },
      ]}
    />
  );
}

/** An open menu is a reason to hold new rows. */
function MenuButton(props: ButtonProps) {
  const open = props['aria-expanded'] === true || props['aria-expanded'] === 'true';
  useEffect(() => {
    if (!open) return;
    liveStream.reading({ menuOpen: true });
    return () => liveStream.reading({ menuOpen: false });
  }, [open]);
  return <Button {...props} />;
}
