import { typeWord } from '../../../contract/finding-words.ts';
import type { PersonView } from '../../../contract/persons.ts';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatClock, formatDateTime, formatDay, sameDay } from '../../lib/format.ts';
import { formatRoute } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './trait-list.module.css';

const MAX_VALUE = 300;

/** The one changed last first, with the values before and the call that brought it. */
export function TraitList({ traits }: { traits: PersonView['traits'] }) {
  return (
    <section className={css.traits} aria-label="Traits">
      <header>
        <h3>
          Traits <span className="muted">{traits.length}</span>
        </h3>
        <span className="muted">changed</span>
      </header>
      {traits.length === 0 && <p className="muted">No identify call has set one.</p>}
      <dl>
        {traits.map((one) => (
          <Trait key={one.trait} one={one} />
        ))}
      </dl>
    </section>
  );
}

function Trait({ one: { trait, value, was, call, changedAt } }: { one: PersonView['traits'][number] }) {
  const now = useNow();
  const isOtherType = was[0] !== undefined && typeof was[0] !== typeof value;
  const isOneType = isOtherType && was.every((before) => before !== null && typeof before === typeof was[0]);
  return (
    <div>
      <dt className="mono secondary ellipsis">
        <Text ltr max={MAX_VALUE}>
          {trait}
        </Text>
      </dt>
      <dd className={css.when}>
        <a
          className="mono muted"
          href={formatRoute({ screen: 'live', messageId: call, tab: 'payload', full: false })}
          title={`${formatDateTime(changedAt)}. Open the call`}
        >
          {sameDay(changedAt, now) ? formatClock(changedAt) : formatDay(changedAt)}
        </a>
      </dd>
      <dd className={cx('mono', css.value)}>
        <span className={cx(isOtherType && css.otherType)}>
          <Value value={value} quoted={isOtherType} />
        </span>
        {was.length > 0 && (
          <span className="muted">
            {' was '}
            {was.map((before, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: values have no other name, and their order is theirs
              <span key={i}>
                {i > 0 && ', '}
                <Value value={before} quoted={isOtherType} />
              </span>
            ))}
            {isOneType && `, ${typeWord(was[0])}`}
          </span>
        )}
      </dd>
    </div>
  );
}

/** Quotes only where they tell a text from another type. */
const Value = ({ value, quoted }: { value: unknown; quoted: boolean }) => (
  <Text max={MAX_VALUE}>{typeof value === 'string' && !quoted ? value : JSON.stringify(value)}</Text>
);
