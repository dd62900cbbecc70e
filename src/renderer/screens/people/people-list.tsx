import { TriangleAlert, UserSearch } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { EveryoneView, PeopleSort, PersonRow } from '../../../contract/persons.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { SearchInput } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import {
  formatClock,
  formatCount,
  formatDateTime,
  formatDay,
  formatPercent,
  plural,
  sameDay,
} from '../../lib/format.ts';
import { useNow } from '../../stores/ticker.ts';
import { useView } from '../../stores/view.ts';
import { OldAnswer } from './old-answer.tsx';
import css from './people-list.module.css';
import { type Everyone, useEveryone } from './use-people.ts';

/** Searched by name, email or any id, in the order that the user chose. */
export function PeopleList({ shown, onShow }: { shown: string | null; onShow: (id: string) => void }) {
  const [search, setSearch] = useState('');
  const sort = useView((view) => view.peopleSort);
  const people = useEveryone(search, sort);
  const list = useRef<HTMLElement>(null);
  const { answer } = people;
  const rows = answer?.rows ?? [];
  const at = rows.findIndex(({ key }) => key.id === shown);
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = by === undefined ? undefined : rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next === undefined) return;
    event.preventDefault();
    onShow(next.key.id);
    list.current?.querySelectorAll<HTMLElement>('[data-person]')[rows.indexOf(next)]?.focus();
  };
  return (
    <section ref={list} className={css.list} aria-label="People" data-region="list">
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
            {answer === null ? '\u00a0' : countText(answer, sort)}
          </p>
        </div>
      </div>
      {answer !== null && <OldAnswer reading={people} />}
      <ul className={css.rows} onKeyDown={move}>
        {rows.map((row, i) => (
          <Row
            key={`${row.key.kind} ${row.key.id}`}
            row={row}
            sort={sort}
            isShown={i === at}
            isStop={i === Math.max(0, at)}
            onShow={onShow}
          />
        ))}
        {people.more !== null && (
          <li className={css.more}>
            <Button size="sm" onClick={people.more}>
              Show more
            </Button>
          </li>
        )}
      </ul>
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

function countText({ people, matching, uncounted, withFindings }: EveryoneView, sort: PeopleSort): string {
  const all = plural(people, 'person', 'people');
  if (sort === 'findings' && uncounted > 0) return `${formatCount(people - uncounted)} of ${all} counted`;
  if (matching < people) return `${formatCount(matching)} of ${all}`;
  return uncounted > 0 || people === 0 ? all : `${all}, ${formatCount(withFindings)} with findings`;
}

/** What stands there when there is no row. */
function Instead({ people, search, onClear }: { people: Everyone; search: string; onClear: () => void }) {
  const { answer, problem, progress, again } = people;
  if (answer === null && problem !== null)
    return (
      <EmptyState title="Could not read people." actions={<Button onClick={again}>Try again</Button>}>
        {problem}
      </EmptyState>
    );
  if (answer === null && progress !== null)
    return <EmptyState title={`Reading the stored calls, ${formatPercent(progress, 1)}`} />;
  if (answer === null || answer.matching > 0) return null;
  if (search.trim() !== '')
    return <EmptyState title="Nobody matches." actions={<Button onClick={onClear}>Clear search</Button>} />;
  return (
    <EmptyState icon={UserSearch} title="Nobody yet.">
      A person appears with the first call that has a userId or anonymousId.
    </EmptyState>
  );
}

function Row({
  row: { key, name, calls, findings, firstSeenAt, lastSeenAt },
  sort,
  isShown,
  isStop,
  onShow,
}: {
  row: PersonRow;
  sort: PeopleSort;
  isShown: boolean;
  isStop: boolean;
  onShow: (id: string) => void;
}) {
  const seenAt = sort === 'first_seen' ? firstSeenAt : lastSeenAt;
  return (
    <li>
      <button
        type="button"
        className={cx(css.row, isShown && css.shown)}
        aria-current={isShown ? 'true' : undefined}
        data-person=""
        tabIndex={isStop ? 0 : -1}
        onClick={() => onShow(key.id)}
      >
        <span className={cx('ellipsis', css.name, name === null && 'muted')}>
          {name === null ? 'No name' : <Text max={200}>{name}</Text>}
        </span>
        <span className={css.counts}>
          <FindingMark findings={findings} />
          <span className={cx('secondary', css.calls)} title={plural(calls, 'call')}>
            {formatCount(calls)}
          </span>
        </span>
        <span className={cx('ellipsis mono', css.id)}>
          {key.kind === 'anonymous' && <span className="muted">anon </span>}
          <Text ltr max={200}>
            {key.id}
          </Text>
        </span>
        {seenAt !== null && <Seen at={seenAt} />}
      </button>
    </li>
  );
}

/** Nothing for nobody's mistakes; dots while they are counted. */
function FindingMark({ findings }: { findings: number | null }) {
  if (findings === 0) return null;
  if (findings === null)
    return (
      <span className="muted" role="img" aria-label="Findings are being counted" title="Findings are being counted">
        {'\u2026'}
      </span>
    );
  return (
    <span className={css.mark} role="img" aria-label={plural(findings, 'finding')} title={plural(findings, 'finding')}>
      <TriangleAlert className="icon" aria-hidden="true" />
      {formatCount(findings)}
    </span>
  );
}

function Seen({ at }: { at: number }) {
  const now = useNow();
  return (
    <span className="mono muted" title={formatDateTime(at)}>
      {sameDay(at, now) ? formatClock(at) : formatDay(at)}
    </span>
  );
}
