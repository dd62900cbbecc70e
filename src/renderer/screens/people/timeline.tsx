import { type ReactNode, useState } from 'react';
import type { PersonView, Tie } from '../../../contract/persons.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { HookCells } from '../../components/glyph.tsx';
import { Text } from '../../components/text.tsx';
import { TypeLabel } from '../../components/type-icon.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDay, formatSpan, formatTime, plural, sameDay } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import { formatRoute } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './timeline.module.css';
import { useRows } from './use-rows.ts';

/** Rows of a session that are drawn at once. */
const AT_ONCE = 100;

type Call = PersonView['timeline'][number];
type Session = PersonView['sessions'][number];

interface Pointing {
  readonly pointed: number | null;
  readonly onPoint: (call: number | null) => void;
}

/** The newest session is open, the others are folded. */
export function Timeline({ person, ...pointing }: { person: PersonView } & Pointing) {
  const { sessions, timeline, findings } = person;
  const numbers = new Map<number, number[]>();
  for (const [i, { call }] of findings.entries()) numbers.set(call, [...(numbers.get(call) ?? []), i + 1]);
  return (
    <section className={css.timeline} aria-label="Calls" data-region="timeline">
      {sessions.length > 0 && <Head />}
      {sessions.map((session, i) => (
        <SessionRows
          key={session.first}
          session={session}
          number={sessions.length - i}
          before={sessions[i + 1]}
          isOpenFirst={i === 0}
          calls={timeline.filter(({ id }) => id >= session.first && id <= session.last)}
          numbers={numbers}
          {...pointing}
        />
      ))}
    </section>
  );
}

const SLOTS = [1, 2, 3, 4, 5];

/** For sighted users only, because each row names all of its cells. */
const Head = () => (
  <div className={cx('muted', css.heads)} aria-hidden="true">
    <span>Received</span>
    <span />
    <span>Type</span>
    <span>Event</span>
    <span>Source</span>
    <span className={css.slots}>
      {SLOTS.map((slot) => (
        <i key={slot}>{slot}</i>
      ))}
    </span>
  </div>
);

function SessionRows({
  session: { startedAt, endedAt, calls: count },
  number,
  before,
  isOpenFirst,
  calls,
  ...rest
}: {
  session: Session;
  number: number;
  before: Session | undefined;
  isOpenFirst: boolean;
  calls: readonly Call[];
  numbers: ReadonlyMap<number, number[]>;
} & Pointing) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const [shown, setShown] = useState(AT_ONCE);
  const now = useNow();
  const day = sameDay(startedAt, now) ? 'today' : formatDay(startedAt);
  const pause = before === undefined ? '' : `, after ${formatSpan(startedAt - before.endedAt)}`;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="medium">{`Session ${number}`}</span>
        <span className="secondary">{`${day}${pause}`}</span>
        <span className="spacer" />
        <span className="secondary">{`${endedAt === startedAt ? 'at once' : formatSpan(endedAt - startedAt)}, ${plural(count, 'call')}`}</span>
      </summary>
      {isOpen && <Calls calls={calls.slice(0, shown)} {...rest} />}
      {isOpen && shown < calls.length && (
        <Button size="sm" onClick={() => setShown((now) => now + AT_ONCE)}>
          {`Show ${formatCount(Math.min(AT_ONCE, calls.length - shown))} more of ${formatCount(calls.length)}`}
        </Button>
      )}
    </details>
  );
}

const TIES: Record<Tie, string> = {
  user: 'with a userId',
  anonymous: 'with an anonymousId alone',
  both: 'ties an anonymousId to the userId',
};

function Calls({
  calls,
  numbers,
  pointed,
  onPoint,
}: { calls: readonly Call[]; numbers: ReadonlyMap<number, number[]> } & Pointing) {
  const rows = useRows(calls.map(({ id }) => id));
  return (
    <ol className={css.calls}>
      {calls.map((call) => {
        const own = numbers.get(call.id) ?? [];
        const hears = own.length > 0;
        return (
          <li
            key={call.id}
            className={cx(hears && css.found, pointed === call.id && css.pointed)}
            onMouseEnter={hears ? () => onPoint(call.id) : undefined}
            onMouseLeave={hears ? () => onPoint(null) : undefined}
          >
            <a href={formatRoute({ screen: 'live', messageId: call.id, tab: 'attempts', full: false })}>
              <Time at={call.receivedAt} />
              <span
                className={cx(css.node, css[call.tie])}
                role="img"
                aria-label={TIES[call.tie]}
                title={TIES[call.tie]}
              />
              <CallCells row={rows.get(call.id)}>
                {own.map((n) => (
                  <span key={n} className={css.number} title={`Finding ${n}`}>
                    {n}
                  </span>
                ))}
              </CallCells>
            </a>
          </li>
        );
      })}
    </ol>
  );
}

function Time({ at }: { at: number }) {
  const time = formatTime(at);
  return (
    <span className="mono secondary">
      {time.slice(0, 8)}
      <span className="muted">{time.slice(8)}</span>
    </span>
  );
}

function CallCells({ row, children }: { row: MessageRow | undefined; children: ReactNode }) {
  const source = useRecords((state) => state.sources.find(({ id }) => id === row?.sourceId)?.name);
  if (row === undefined) return <span className="muted">{'\u2026'}</span>;
  return (
    <>
      <TypeLabel type={row.type} />
      <span className="flex-row ellipsis">
        <span className="ellipsis">
          {row.name === '' ? <span className="muted">No name</span> : <Text max={300}>{row.name}</Text>}
        </span>
        {children}
      </span>
      <span className="secondary ellipsis">
        {row.origin === 'audience' ? 'audience' : source === undefined ? '' : <Text>{source}</Text>}
      </span>
      <HookCells cells={row.cells} quiet={row.state === 'delivered'} />
    </>
  );
}
