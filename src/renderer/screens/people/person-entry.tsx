import { TriangleAlert } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { PeopleSort, PersonRow } from '../../../contract/persons.ts';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatClock, formatCount, formatDateTime, formatDay, plural, sameDay } from '../../lib/format.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './people-list.module.css';

/** One person of the list. */
export function PersonEntry({
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

/** Stands where a row is not known yet. */
export const WaitingEntry = (props: ComponentProps<'li'>) => (
  <li aria-busy="true" className={css.waiting} {...props}>
    <span className={css.bone} />
    <span className={css.bone} />
    <span className="visually-hidden">Loading</span>
  </li>
);
