import { BookmarkPlus } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from '../../components/button.tsx';
import inputCss from '../../components/input.module.css';
import { cx } from '../../lib/cx.ts';
import { isEmpty, type Query } from '../../stores/live/filter.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream } from '../../stores/live/store.ts';
import { useRecords } from '../../stores/records.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import css from './filter-bar.module.css';
import { FilterField } from './filter-field.tsx';
import { FilterMenu } from './filter-menu.tsx';
import type { Column } from './grid/columns.ts';

import { SavedDialog } from './saved-dialog.tsx';
import { useSavedDialog } from './use-saved-filters.ts';

const PROBLEM_ID = 'live-filter-problem';

const change = (to: (query: Query) => Query): void => liveStream.setQuery(to(liveStream.snapshot().query));

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
  return (
    <div className={css.toolbar} data-region="filter">
      <div className="flex-row">
        <FilterField live={live} describedBy={problem === null ? undefined : PROBLEM_ID} field={field} />
        {!isEmpty(query) && (
          <Button icon={BookmarkPlus} onClick={() => useSavedDialog.setState({ open: true })}>
            Save
          </Button>
        )}
        <FilterMenu terms={query.terms} sources={sources} onChange={change} />
        <ColumnsMenu shown={shown} />
      </div>
      <SavedDialog />
      {problem !== null && (
        <p id={PROBLEM_ID} className={cx(inputCss.error, css.problem)} role="alert">
          {problem.text}
        </p>
      )}
    </div>
  );
}
