import type { DrawnRoundView, ScheduleView } from '../../../contract/rules.ts';
import type { MessageRow } from '../../../contract/values.ts';
import { Countdown, useStandstill } from '../../components/glyph.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import toneCss from '../../components/tone.module.css';
import { wallTime } from '../../lib/clock.ts';
import { cx } from '../../lib/cx.ts';
import {
  formatClock,
  formatDateTime,
  formatDay,
  formatIso,
  formatOffset,
  formatTime,
  plural,
  sameDay,
} from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import css from './detail.module.css';
import { isFinal } from './explain.ts';
import { FoldedSection } from './folded-section.tsx';

export interface ScheduleListProps {
  readonly message: MessageRow;
  readonly schedule: ScheduleView;
}

/** A final message shows no coming rounds, even before its new schedule arrives, because its row arrives first. */
function roundsOf({ message, schedule }: ScheduleListProps): readonly DrawnRoundView[] {
  return isFinal(message) ? schedule.rounds.filter(({ kind }) => kind === 'past') : schedule.rounds;
}

/** `7 rounds, 11 more planned`; `80 rounds, at least 20 more planned` when the list ends before the window does. */
export function scheduleSummary(props: ScheduleListProps): string {
  const rounds = roundsOf(props);
  const past = rounds.filter(({ kind }) => kind === 'past').length;
  const ahead = rounds.length - past;
  const atLeast = props.schedule.more && !isFinal(props.message) ? 'at least ' : '';
  const started = past === 0 ? 'No round yet' : plural(past, 'round');
  return ahead === 0 ? started : `${started}, ${atLeast}${ahead} ${past === 0 ? '' : 'more '}planned`;
}

export const ScheduleSection = (props: ScheduleListProps) => (
  <FoldedSection title="Schedule" note={scheduleSummary(props)}>
    <ScheduleTable {...props} />
  </FoldedSection>
);

function ScheduleTable(props: ScheduleListProps) {
  const { message, schedule } = props;
  const rounds = roundsOf(props);
  const windowFrom = message.firstAttemptAt ?? rounds[0]?.at ?? schedule.windowEndsAt;
  // The window begins with the commit of round 1, a moment before its first request; offsets count from that request.
  const firstAt = rounds.find(({ round }) => round === 1)?.at ?? windowFrom;
  const ends = !isFinal(message) || message.state === 'expired';
  return (
    <ScrollRegion className={cx(css.tableHost, css.scheduleHost)} aria-label="Schedule as a table">
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">On the retry clock</th>
            <th scope="col">Real time</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round) => (
            <tr key={round.round} className={cx(round.kind === 'planned' && css.planned)}>
              <td>{round.round}</td>
              <td title={`${formatDateTime(round.at)} on the retry clock`}>{formatOffset(round.at - firstAt)}</td>
              <td>
                <RealTime round={round} />
              </td>
            </tr>
          ))}
          {schedule.more && !isFinal(message) && (
            <tr className={css.planned}>
              <td colSpan={3}>More rounds would follow.</td>
            </tr>
          )}
          {ends && (
            <tr className={css.windowEnd}>
              <td>Window ends</td>
              <td title={`${formatDateTime(schedule.windowEndsAt)} on the retry clock`}>
                {formatOffset(schedule.windowEndsAt - windowFrom)}
              </td>
              <td>
                <WallTime at={schedule.windowEndsAt} />
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** When a round started, or will start at the current speed. */
function RealTime({ round }: { round: DrawnRoundView }) {
  const standstill = useStandstill(round.at);
  if (round.kind === 'past')
    return round.wallAt === null ? (
      <span className="muted">not recorded</span>
    ) : (
      <time className="mono" dateTime={formatIso(round.wallAt)} title={formatIso(round.wallAt)}>
        {formatTime(round.wallAt)}
      </time>
    );
  return (
    <>
      {standstill === null && <WallTime at={round.at} />}
      {round.kind === 'due' ? (
        <span className={toneCss.warn}>
          {standstill === null ? ', due in ' : 'due, '}
          <Countdown at={round.at} label="at" />
        </span>
      ) : (
        standstill
      )}
    </>
  );
}

/** When the clock will show `at`. */
function WallTime({ at }: { at: number }) {
  const clock = useRecords((state) => state.clock);
  const when = wallTime(clock, at);
  if (!Number.isFinite(when)) return 'clock paused';
  return (
    <time className="mono" dateTime={formatIso(when)} title={formatIso(when)}>
      {`${sameDay(when, Date.now()) ? '' : `${formatDay(when)}, `}${formatClock(when)}`}
    </time>
  );
}
