import { Users, UserX } from 'lucide-react';
import { plural } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import css from './data-facts.module.css';

/** What Hookbench itself sends about users: how much of it there is, and where. */
export function DataFacts() {
  const audiences = useRecords((state) => state.audiences);
  const deletions = useRecords((state) => state.deletions);
  if (audiences === undefined || deletions === undefined) return null;
  return (
    <ul className={css.facts}>
      <li>
        <Users className="icon" aria-hidden="true" />
        <a href="#/audiences">Audiences</a>
        {plural(audiences.audiences.length, 'audience')}, {plural(audiences.traits.length, 'computed trait')}
      </li>
      <li>
        <UserX className="icon" aria-hidden="true" />
        <a href="#/deletions">Deletions</a>
        {plural(deletions.total, 'request')}, {plural(deletions.suppressed.users, 'suppressed user')}
      </li>
    </ul>
  );
}
