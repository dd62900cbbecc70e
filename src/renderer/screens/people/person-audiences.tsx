import { ChevronDown, ChevronRight } from 'lucide-react';
import type { MembershipRow } from '../../../contract/audiences.ts';
import { Text } from '../../components/text.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { formatRoute } from '../../stores/route.ts';
import css from './person-audiences.module.css';
import type { Memberships } from './use-memberships.ts';

/** How many audiences the person is in. The button opens their names. */
export function AudiencesFact({
  memberships: { rows, problem, again },
  listId,
  isOpen,
  onToggle,
}: {
  memberships: Memberships;
  listId: string;
  isOpen: boolean;
  onToggle: () => void;
}) {
  return (
    <div>
      <dt className="muted">Audiences</dt>
      <dd aria-busy={rows === null && problem === null}>
        {problem !== null ? (
          <span title={problem}>
            Could not read audiences. <TryAgain variant="ghost" size="sm" onAgain={again} />
          </span>
        ) : rows === null ? (
          <span className="muted">{'\u2026'}</span>
        ) : rows.length === 0 ? (
          'None'
        ) : (
          <button
            type="button"
            className={css.count}
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-label={`In ${plural(rows.length, 'audience')}`}
            title={`In ${plural(rows.length, 'audience')}`}
            onClick={onToggle}
          >
            {formatCount(rows.length)}
            {isOpen ? <ChevronDown className="icon" aria-hidden /> : <ChevronRight className="icon" aria-hidden />}
          </button>
        )}
      </dd>
    </div>
  );
}

/** Stands below the facts, so that opening it moves none of them. */
export function AudienceNames({ id, memberships: { rows, problem } }: { id: string; memberships: Memberships }) {
  if (problem !== null || rows === null || rows.length === 0) return null;
  return (
    <ul id={id} className={css.names} aria-label="Audiences of this person">
      {rows.map((row) => (
        <Name key={row.id} row={row} />
      ))}
    </ul>
  );
}

const Name = ({ row: { id: audienceId, name, isCounted } }: { row: MembershipRow }) => (
  <li>
    <a href={formatRoute({ screen: 'audiences', audienceId, tab: 'members' })}>
      <Text max={100}>{name}</Text>
    </a>
    {!isCounted && <span className="muted"> being counted</span>}
  </li>
);
