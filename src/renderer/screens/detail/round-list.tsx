/** Rounds, newest first and expanded. Then the replays, which are marked and never part of a round. */
import { ChevronRight } from 'lucide-react';
import { memo, useCallback, useMemo, useState } from 'react';
import type { AttemptView, LineUpView, MessageRow, ReplayView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { Cell, HookCells } from '../../components/glyph.tsx';
import { Tag } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatIso, formatOffset, formatTime, plural } from '../../lib/format.ts';
import { AttemptRow } from './attempt-row.tsx';
import detailCss from './detail.module.css';
import css from './round-list.module.css';
import { type Round, roundsOf } from './rounds.ts';

/** How many rounds are drawn before a button offers more. */
const PAGE = 50;

export interface RoundListProps {
  readonly attempts: readonly AttemptView[];
  readonly replays: readonly ReplayView[];
  readonly lineUps: readonly LineUpView[];
  readonly message: MessageRow;
  readonly timeoutMs: number;
  readonly body: string | null;
  /** Ids of attempts shown in full. */
  readonly openAttempts: ReadonlySet<number>;
  readonly onToggleAttempt: (id: number) => void;
}

export function RoundList(props: RoundListProps) {
  const { attempts, replays, lineUps, message } = props;
  const rounds = useMemo(() => roundsOf(attempts, lineUps, message), [attempts, lineUps, message]);
  const [shown, setShown] = useState(PAGE);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (key: string) =>
      setToggled((old) => {
        const next = new Set(old);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  /** The newest round is expanded until closed. Others are once they or one of their attempts are opened. */
  const isOpen = (key: string, newest: boolean, list: readonly AttemptView[]) =>
    list.some((attempt) => props.openAttempts.has(attempt.id)) || newest !== toggled.has(key);
  const opened = rounds.findLastIndex(({ attempts: tried }) => tried.some(({ id }) => props.openAttempts.has(id)));
  // A round with an open attempt is drawn, and stays when the attempt is folded.
  if (opened >= shown) setShown(opened + 1);
  const left = rounds.length - shown;
  return (
    <>
      {rounds.slice(0, shown).map((round, index) => (
        <RoundSection
          key={round.round}
          round={round}
          open={isOpen(`r${round.round}`, index === 0, round.attempts)}
          onToggle={toggle}
          rows={props}
        />
      ))}
      {left > 0 && (
        <Button size="sm" variant="ghost" onClick={() => setShown(shown + PAGE)}>
          {`Show ${Math.min(PAGE, left)} older ${Math.min(PAGE, left) === 1 ? 'round' : 'rounds'}`}
        </Button>
      )}
      {replays.length > 0 && (
        <section className={detailCss.replays} aria-label="Replays">
          <h3 className={css.replaysHead}>
            Replays <span className="muted">never change the state of the original</span>
          </h3>
          {[...replays]
            .sort((a, b) => b.id - a.id)
            .map((replay, index) => (
              <ReplaySection
                key={replay.id}
                replay={replay}
                number={replays.length - index}
                open={isOpen(`p${replay.id}`, false, replay.attempts)}
                onToggle={toggle}
                rows={props}
              />
            ))}
        </section>
      )}
    </>
  );
}

interface SectionProps {
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
  readonly rows: RoundListProps;
}

function RoundSection({ round, open, onToggle, rows }: SectionProps & { round: Round }) {
  return (
    <section className={detailCss.round} aria-label={`Round ${round.round}`}>
      <h3>
        <button
          type="button"
          className={detailCss.roundHead}
          aria-expanded={open}
          onClick={() => onToggle(`r${round.round}`)}
        >
          <ChevronRight className={cx('icon', detailCss.chevron)} aria-hidden="true" />
          <span className="medium">Round {round.round}</span>
          <span className="muted">{formatOffset(round.offsetMs)}</span>
          {open ? <span /> : <HookCells cells={round.cells} />}
          <time className="mono muted" dateTime={formatIso(round.startedAt)} title={formatIso(round.startedAt)}>
            {formatTime(round.startedAt)}
          </time>
        </button>
      </h3>
      {open && (
        <ul className={css.attempts}>
          <Rows attempts={round.attempts} rows={rows} />
          {round.absent.map((absent) => (
            <li key={absent.webhookId} className={cx(detailCss.attempt, detailCss.absent)}>
              <span className="mono muted">{absent.slot}</span>
              <Cell mark={absent.cell} large />
              <Text className="ellipsis muted">{absent.name}</Text>
              <span className="ellipsis muted">{absent.words}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Rows = memo(function Rows({ attempts, rows }: { attempts: readonly AttemptView[]; rows: RoundListProps }) {
  return attempts.map((attempt) => (
    <AttemptRow
      key={attempt.id}
      attempt={attempt}
      timeoutMs={rows.timeoutMs}
      body={rows.body}
      open={rows.openAttempts.has(attempt.id)}
      onToggle={rows.onToggleAttempt}
    />
  ));
});

const COURSE: Record<NonNullable<ReplayView['ended']>, string> = {
  done: '',
  expired: ', expired',
  stopped: ', stopped',
  interrupted: ', interrupted',
};

/** `2 of 3 accepted`, `3 requests open`. */
export function replaySummary(replay: ReplayView): string {
  const open = replay.attempts.filter((attempt) => attempt.outcome === null).length;
  if (replay.finishedAt === null && open > 0) return `${plural(open, 'request')} open`;
  if (replay.finishedAt === null && replay.nextAt === null) return 'Sending';
  const accepted = replay.attempts.filter((attempt) => attempt.outcome === 'accepted').length;
  return `${accepted} of ${replay.webhookIds.length} accepted${COURSE[replay.ended ?? 'done']}${replay.nextAt === null ? '' : ', waits for its next try'}`;
}

/** How it differs from a plain replay: `, edited, not signed`. */
export const mannerText = ({ sent, signed }: Pick<ReplayView, 'sent' | 'signed'>): string =>
  `${{ delivered: '', received: ', as received', edited: ', edited' }[sent]}${signed ? '' : ', not signed'}`;

function ReplaySection({
  replay,
  number,
  open,
  onToggle,
  rows,
}: SectionProps & { replay: ReplayView; number: number }) {
  return (
    <section className={detailCss.round} aria-label={`Replay ${number}`}>
      <h4>
        <button
          type="button"
          className={detailCss.roundHead}
          aria-expanded={open}
          onClick={() => onToggle(`p${replay.id}`)}
        >
          <ChevronRight className={cx('icon', detailCss.chevron)} aria-hidden="true" />
          <span className="medium">
            <Tag>Replay</Tag> {number}
          </span>
          <span className="secondary">{`${replaySummary(replay)}${mannerText(replay)}`}</span>
          <span />
          <time className="mono muted" dateTime={formatIso(replay.createdAt)} title={formatIso(replay.createdAt)}>
            {formatTime(replay.createdAt)}
          </time>
        </button>
      </h4>
      {open && (
        <ul className={css.attempts}>
          <Rows attempts={[...replay.attempts].sort((a, b) => a.slot - b.slot)} rows={rows} />
        </ul>
      )}
    </section>
  );
}
