/** What happened to the message so far, what comes next, and every attempt. */
import { useState } from 'react';
import { standstillsOf } from '../../../contract/not-sending.ts';
import type { AttemptView, DestinationView, MessageDetail, MessageRow } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { Countdown, StateGlyph, useStandstill } from '../../components/glyph.tsx';
import { Text } from '../../components/text.tsx';
import { Ago } from '../../components/tick-text.tsx';
import { realWait } from '../../lib/clock.ts';
import { firstStart, ownAttempts } from '../../message/attempts.ts';
import type { LoadedDetail } from '../../message/use-detail.ts';
import { useRecords } from '../../stores/records.ts';
import { useNow } from '../../stores/ticker.ts';
import { AttemptChart } from './attempt-chart.tsx';
import css from './attempts-tab.module.css';
import { ChartTable } from './chart-table.tsx';
import detailCss from './detail.module.css';
import { canRetryNow, canStop, explain } from './explain.ts';
import { ProfileSection } from './profile-section.tsx';
import { RoundList } from './round-list.tsx';
import { ScheduleSection } from './schedule-list.tsx';
import type { Moves } from './use-moves.ts';
import type { OpenAttempts } from './use-open-attempts.ts';

export interface AttemptsTabProps {
  readonly row: MessageRow;
  readonly loaded: LoadedDetail;
  readonly open: OpenAttempts;
  /** The attempt that the address names. */
  readonly named?: number | undefined;
  readonly moves: Moves;
}

export function AttemptsTab({ row, loaded: { detail }, open, named, moves }: AttemptsTabProps) {
  const destination = useRecords((state) => state.destination);
  if (destination === undefined || detail === null) return <Waiting row={row} />;
  const own = ownAttempts(detail.attempts);
  return (
    <>
      {named !== undefined && !hasAttempt(detail, named) && (
        <p className="secondary small">The address names an attempt that this message does not have.</p>
      )}
      <WhatIs row={row} detail={detail} destination={destination} moves={moves} />
      {own.length > 0 && <Drawing row={row} own={own} detail={detail} destination={destination} />}
      {detail.schedule !== null && <ScheduleSection message={row} schedule={detail.schedule} />}
      <RoundList
        attempts={detail.attempts}
        replays={detail.replays}
        lineUps={detail.lineUps}
        message={row}
        timeoutMs={destination.timeoutMs}
        body={detail.deliveredJson}
        openAttempts={open.ids}
        onToggleAttempt={open.toggle}
      />
      {own.length > 0 && <ProfileSection id={row.id} attempts={own} destination={destination} />}
    </>
  );
}

/** Of its own or of a replay. */
const hasAttempt = ({ attempts, replays }: MessageDetail, id: number): boolean =>
  [...attempts, ...replays.flatMap((replay) => replay.attempts)].some((attempt) => attempt.id === id);

interface PartProps {
  readonly row: MessageRow;
  readonly detail: MessageDetail;
  readonly destination: DestinationView;
}

/** The current state, why, and what can be done about it. */
function WhatIs({ row, detail, destination, moves }: PartProps & { moves: Moves }) {
  const webhooks = useRecords((state) => state.webhooks);
  const standstill = useRecords((state) => standstillsOf(state.status?.notSending ?? [])[0] ?? null);
  const { attempts, sourceName } = detail;
  const about = explain({ message: row, attempts, webhooks, rules: destination, standstill, sourceName });
  return (
    <div className={css.now}>
      <StateGlyph state={row.state} />
      <div className="spacer">
        <p className="medium">
          <Text>{about.title}</Text>
          {about.countdownTo !== null && <In at={about.countdownTo} />}
        </p>
        <p className="secondary small">
          {row.state === 'queued' && ownAttempts(attempts).length === 0 && (
            <>
              Queued <Ago at={row.receivedAt} />
              {'. '}
            </>
          )}
          <Text>{about.sentence}</Text>
        </p>
      </div>
      {canRetryNow(row) && (
        <Button size="sm" disabled={moves.busy} onClick={moves.retryNow}>
          Retry now
        </Button>
      )}
      {canStop(row) && (
        <Button size="sm" disabled={moves.busy} onClick={moves.stop}>
          Stop
        </Button>
      )}
    </div>
  );
}

/** The attempts as a chart, or as a table with the same facts. */
function Drawing({ row, own, detail, destination }: PartProps & { own: readonly AttemptView[] }) {
  const webhooks = useRecords((state) => state.webhooks);
  const clock = useRecords((state) => state.clock);
  const [asTable, setAsTable] = useState(false);
  return (
    <>
      {asTable ? (
        <ChartTable attempts={own} firstAt={firstStart(own) ?? 0} />
      ) : (
        <AttemptChart
          message={row}
          attempts={own}
          lineUps={detail.lineUps}
          webhooks={webhooks}
          rules={destination}
          schedule={detail.schedule}
          clock={clock}
        />
      )}
      <div className={css.chartFoot}>
        <button type="button" className={css.linkButton} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'View as chart' : 'View as table'}
        </button>
      </div>
    </>
  );
}

/** ` in 0:12`, ` now` in the last second, `, clock paused` while the clock is paused. */
function In({ at }: { at: number }) {
  const clock = useRecords((state) => state.clock);
  const now = useNow();
  const standstill = useStandstill(at);
  if (standstill !== null)
    return (
      <>
        {', '}
        <Countdown at={at} />
      </>
    );
  if (realWait(clock, at, now) < 1000) return <> now</>;
  return (
    <>
      {' in '}
      <Countdown at={at} label="at" />
    </>
  );
}

/** What the row alone shows, while the rest is loading. */
function Waiting({ row }: { row: MessageRow }) {
  return (
    <div className={css.now} aria-busy="true">
      <StateGlyph state={row.state} />
      <div className="spacer">
        <div className={detailCss.skeleton} style={{ width: 180 }} />
        <div className={detailCss.skeleton} style={{ width: 280 }} />
      </div>
    </div>
  );
}
