import { Dices } from 'lucide-react';
import { useState } from 'react';
import type { PersonReasonView } from '../../../../contract/people.ts';
import { Button } from '../../../components/button.tsx';
import { Text } from '../../../components/text.tsx';
import { UserId } from '../../../components/user-id.tsx';
import { clockTime } from '../../../lib/clock.ts';
import { useRecords } from '../../../stores/records.ts';
import { useNow } from '../../../stores/ticker.ts';
import css from './panel.module.css';
import type { Counted } from './use-count.ts';
import { SAMPLE, type Sample, useSample } from './use-sample.ts';
import { WhyChips } from './why-chips.tsx';
import { whyIn } from './words.ts';

interface Marks {
  marked: number | null;
  onMark: (key: number | null) => void;
  onGo: (key: number) => void;
}

/** Five members with the numbers that let each in. */
export function SampleMembers({ counted, isStale, ...marks }: { counted: Counted | null; isStale: boolean } & Marks) {
  const [skip, setSkip] = useState(0);
  const sample = useSample(counted, skip);
  const members = counted?.view.members ?? 0;
  if (members === 0) return null;
  return (
    <section className={css.block} aria-label="Sample">
      <div className={css.head}>
        <h3>{members < SAMPLE ? 'Who they are, and why' : 'Five of them, and why'}</h3>
        <span className="spacer" />
        {members > SAMPLE && (
          <Button size="sm" variant="ghost" icon={Dices} flushEnd onClick={() => setSkip((skip + SAMPLE) % members)}>
            Other five
          </Button>
        )}
      </div>
      {sample !== null && (
        <ul className={isStale ? css.stale : undefined}>
          {sample.people.map((person) => (
            <Member key={person.userId} person={person} sample={sample} {...marks} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Member({ person, sample, ...marks }: { person: PersonReasonView; sample: Sample } & Marks) {
  const clock = useRecords((state) => state.clock);
  const now = useNow();
  const { userId, name } = person;
  return (
    <li className={css.member}>
      <div className="flex-row">
        {name !== null && (
          <span className="medium ellipsis" title={name}>
            <Text>{name}</Text>
          </span>
        )}
        <span className={name === null ? 'mono ellipsis' : 'mono muted ellipsis'} title={userId}>
          <UserId>{userId}</UserId>
        </span>
      </div>
      <WhyChips whys={whyIn(person, sample.draft, clockTime(clock, now))} {...marks} />
    </li>
  );
}
