import { UserSearch } from 'lucide-react';
import { useState } from 'react';
import type { PeopleSort } from '../../../contract/persons.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { SearchInput } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { formatCount, formatPercent, plural } from '../../lib/format.ts';
import { useView } from '../../stores/view.ts';
import type { Numbers } from './known-people.ts';
import { OldAnswer } from './old-answer.tsx';
import css from './people-list.module.css';
import { PeopleRows } from './people-rows.tsx';
import { type Everyone, useEveryone } from './use-everyone.ts';

/** Searched by name, email or any id, in the order that the user chose. */
export function PeopleList({ shown, onShow }: { shown: string | null; onShow: (id: string) => void }) {
  const [search, setSearch] = useState('');
  const sort = useView((view) => view.peopleSort);
  const people = useEveryone(search, sort);
  const { known } = people;
  return (
    <section className={css.list} aria-label="People" data-region="list">
      <div className={css.head}>
        <SearchInput label="Search people" placeholder="Name, email or any id" value={search} onValue={setSearch} />
        <div className={css.order}>
          <Select
            label="Order of people"
            value={sort}
            options={ORDERS}
            onChange={(peopleSort) => useView.setState({ peopleSort })}
          />
          <p className="muted" role="status">
            {known === null ? '\u00a0' : countText(known.numbers, sort)}
          </p>
        </div>
      </div>
      {known !== null && <OldAnswer reading={people} />}
      {known !== null && known.numbers.matching > 0 && (
        <PeopleRows known={known} sort={sort} shown={shown} onShow={onShow} onLook={people.look} />
      )}
      <Instead people={people} search={search} onClear={() => setSearch('')} />
    </section>
  );
}

const ORDERS: ReadonlyArray<{ value: PeopleSort; label: string }> = [
  { value: 'last_seen', label: 'Last seen' },
  { value: 'first_seen', label: 'First seen' },
  { value: 'calls', label: 'Most calls' },
  { value: 'findings', label: 'Most findings' },
];

function countText({ people, matching, uncounted, withFindings }: Numbers, sort: PeopleSort): string {
  const all = plural(people, 'person', 'people');
  if (sort === 'findings' && uncounted > 0) return `${formatCount(people - uncounted)} of ${all} counted`;
  if (matching < people) return `${formatCount(matching)} of ${all}`;
  return uncounted > 0 || people === 0 ? all : `${all}, ${formatCount(withFindings)} with findings`;
}

/** What stands there when there is no row. */
function Instead({ people, search, onClear }: { people: Everyone; search: string; onClear: () => void }) {
  const { known, problem, progress, again } = people;
  if (known === null && problem !== null)
    return (
      <EmptyState title="Could not read people." actions={<TryAgain onAgain={again} />}>
        {problem}
      </EmptyState>
    );
  if (known === null && progress !== null)
    return <EmptyState title={`Reading the stored calls, ${formatPercent(progress, 1)}`} />;
  if (known === null) return <SkeletonRows rowHeight={54} />;
  if (known.numbers.matching > 0) return null;
  if (search.trim() !== '')
    return <EmptyState title="Nobody matches." actions={<Button onClick={onClear}>Clear search</Button>} />;
  return (
    <EmptyState icon={UserSearch} title="Nobody yet.">
      A person appears with the first call that has a userId or anonymousId.
    </EmptyState>
  );
}
