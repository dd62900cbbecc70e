import { Search, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { PersonReasonView } from '../../../../contract/people.ts';
import { IconButton } from '../../../components/button.tsx';
import { Glyph } from '../../../components/glyph.tsx';
import { Input } from '../../../components/input.tsx';
import { Text } from '../../../components/text.tsx';
import { call } from '../../../platform/connect.ts';
import css from './panel.module.css';
import { PartId } from './part-id.tsx';
import type { Counted } from './use-count.ts';
import { whileWanted } from './while-wanted.ts';
import { whyOut } from './words.ts';

/** How long typing rests before the engine is asked, in real milliseconds. */
const REST_MS = 150;

/** Whether one user is in, and the first condition that keeps the user out. */
export function UserCheck({
  counted,
  onMark,
  onGo,
}: {
  counted: Counted | null;
  onMark: (key: number | null) => void;
  onGo: (key: number) => void;
}) {
  const [userId, setUserId] = useState('');
  const answer = useExplain(counted, userId);
  const id = useId();
  return (
    <section className={css.block} aria-label="Is this user in?">
      <h3>Is this user in?</h3>
      <Input
        mono
        boxClassName={css.check}
        aria-label="User id"
        aria-describedby={answer === null ? undefined : id}
        placeholder="usr_0a77"
        maxLength={1_000}
        value={userId}
        leading={<Search className="icon" aria-hidden="true" />}
        onChange={(event) => setUserId(event.target.value)}
        trailing={
          userId !== '' && <IconButton size="sm" label="Clear the user id" icon={X} onClick={() => setUserId('')} />
        }
      />
      <div id={id} role="status">
        {answer !== null && counted !== null && (
          <Verdict person={answer} counted={counted} onMark={onMark} onGo={onGo} />
        )}
      </div>
    </section>
  );
}

function Verdict({
  person,
  counted,
  onMark,
  onGo,
}: {
  person: PersonReasonView;
  counted: Counted;
  onMark: (key: number | null) => void;
  onGo: (key: number) => void;
}) {
  const why = person.known ? whyOut(person, counted.draft) : null;
  return (
    <p className={css.verdict}>
      <Glyph name={person.isIn ? 'delivered' : 'stopped'} />
      <b className="medium">{person.isIn ? 'Yes.' : 'No.'}</b>
      {!person.known && <span>No source knows it.</span>}
      {why !== null && (
        <button
          type="button"
          className={css.why}
          onMouseEnter={() => onMark(why.key)}
          onMouseLeave={() => onMark(null)}
          onFocus={() => onMark(why.key)}
          onBlur={() => onMark(null)}
          onClick={() => onGo(why.key)}
        >
          <PartId>{why.id}</PartId>
          <Text>{why.text}</Text>
        </button>
      )}
      {person.known && !person.isIn && why === null && <span>None of the conditions is true.</span>}
      {person.isIn && <span>All fits.</span>}
    </p>
  );
}

/** What the engine says of one user; asked again when the count changes. */
function useExplain(counted: Counted | null, userId: string): PersonReasonView | null {
  const [answer, setAnswer] = useState<PersonReasonView | null>(null);
  useEffect(() => {
    if (userId === '' || counted === null) return setAnswer(null);
    return whileWanted(REST_MS, async (isWanted) => {
      const person = await call('people.explain', { rule: counted.rule, userId });
      if (isWanted()) setAnswer(person);
    });
  }, [counted, userId]);
  return userId === '' ? null : answer;
}
