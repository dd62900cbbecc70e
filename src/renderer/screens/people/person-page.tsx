import { Activity, Contact, UserX } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { PersonView } from '../../../contract/persons.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Text } from '../../components/text.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { formatCount, formatDateTime, formatPercent, formatShortTime, plural } from '../../lib/format.ts';
import { useNow } from '../../stores/ticker.ts';
import { Findings } from './findings.tsx';
import { IdentityGraph } from './identity-graph.tsx';
import { OldAnswer } from './old-answer.tsx';
import { AudienceNames, AudiencesFact } from './person-audiences.tsx';
import css from './person-page.module.css';
import { showCalls, showCallsLabel } from './show-calls.ts';
import { Timeline } from './timeline.tsx';
import { TraitList } from './trait-list.tsx';
import { useMemberships } from './use-memberships.ts';
import { type Reading, usePerson } from './use-people.ts';

/** Characters of an id that stay however long the name is, so that it can be told from others. */
const ID_ROOM = 12;

export function PersonPage({ id }: { id: string | null }) {
  const reading = usePerson(id);
  const person = reading.answer;
  if (person === null) return <Instead id={id} reading={reading} />;
  return <Person person={person} note={<OldAnswer reading={reading} />} />;
}

function Instead({
  id,
  reading: { problem, isGone, progress, again },
}: {
  id: string | null;
  reading: Reading<PersonView>;
}) {
  return (
    <div className={css.instead}>
      {id === null ? (
        <EmptyState icon={Contact} title="Choose a person.">
          The ids that belong together, what was sent about them, and which call broke it.
        </EmptyState>
      ) : isGone ? (
        <EmptyState icon={UserX} title="Nobody has this id.">
          No stored call names it. Calls that did are gone when they were erased or removed.
        </EmptyState>
      ) : problem !== null ? (
        <EmptyState title="Could not read this person." actions={<TryAgain onAgain={again} />}>
          {problem}
        </EmptyState>
      ) : (
        progress !== null && <EmptyState title={`Reading the stored calls, ${formatPercent(progress, 1)}`} />
      )}
    </div>
  );
}

function Person({ person, note }: { person: PersonView; note: ReactNode }) {
  /** The call whose finding or row is pointed at. */
  const [pointed, setPointed] = useState<number | null>(null);
  return (
    <div className={css.person}>
      <ScrollRegion className={css.main} aria-label="Person" data-region="person">
        {note}
        <Head person={person} />
        <Findings person={person} pointed={pointed} onPoint={setPointed} />
        <Timeline person={person} pointed={pointed} onPoint={setPointed} />
      </ScrollRegion>
      <ScrollRegion className={css.side} aria-label="Identity and traits" data-region="identity">
        <IdentityGraph person={person} />
        <TraitList traits={person.traits} />
      </ScrollRegion>
    </div>
  );
}

function Head({ person }: { person: PersonView }) {
  const { key, name, calls, sessions, sources, firstSeenAt, lastSeenAt, timeline } = person;
  const label = showCallsLabel(person);
  const memberships = useMemberships(person.userIds.map(({ id }) => id));
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const now = useNow();
  const facts = [
    ['First seen', timeOf(firstSeenAt, now), fullTime(firstSeenAt)],
    ['Last seen', timeOf(lastSeenAt, now), fullTime(lastSeenAt)],
    ['Calls', formatCount(calls)],
    ['Sessions', formatCount(sessions.length)],
    ['Sources', formatCount(sources.length)],
  ] as const;
  return (
    <div className={css.head}>
      <div className={css.title}>
        <Contact className="icon icon-large" aria-hidden="true" />
        <h2 className="ellipsis">{name === null ? 'No name' : <Text max={200}>{name}</Text>}</h2>
        <span className="mono secondary ellipsis" style={{ minWidth: `${Math.min(ID_ROOM, key.id.length)}ch` }}>
          {key.kind === 'anonymous' && 'anonymous '}
          <Text ltr max={200}>
            {key.id}
          </Text>
        </span>
        <CopyButton text={key.id} label="Copy id" />
        <span className="spacer" />
        {label !== null && (
          <Button icon={Activity} onClick={() => showCalls(person)}>
            {label}
          </Button>
        )}
      </div>
      <dl className={css.facts}>
        {facts.map(([term, value, title]) => (
          <div key={term}>
            <dt className="muted">{term}</dt>
            <dd title={title}>{value}</dd>
          </div>
        ))}
        <AudiencesFact memberships={memberships} listId={listId} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      </dl>
      {isOpen && <AudienceNames id={listId} memberships={memberships} />}
      {timeline.length < calls && (
        <p className="muted">{`Sessions, sources, groups, traits and findings are those of the newest ${plural(timeline.length, 'call')}.`}</p>
      )}
    </div>
  );
}

const timeOf = (at: number | null, now: number): string => (at === null ? '' : formatShortTime(at, now));
const fullTime = (at: number | null): string | undefined => (at === null ? undefined : formatDateTime(at));
