import { Button } from '../../../components/button.tsx';
import { Dot } from '../../../components/dot.tsx';
import { Text } from '../../../components/text.tsx';
import toneCss from '../../../components/tone.module.css';
import { realWait } from '../../../lib/clock.ts';
import { cx } from '../../../lib/cx.ts';
import { formatCount, formatCountdown } from '../../../lib/format.ts';
import { useRecords } from '../../../stores/records.ts';
import { useNow } from '../../../stores/ticker.ts';
import css from './panel.module.css';
import type { Counted, RuleCount } from './use-count.ts';
import { leaveText } from './words.ts';

const MINUS = '\u2212';

/** How many people the rule lets in, now. */
export function MatchingPeople({ count }: { count: RuleCount }) {
  const { counted, state, progress } = count;
  const isCurrent = state === 'ready';
  return (
    <section className={css.block} aria-label="Matching people">
      <div className={css.head}>
        <h3>Matching people</h3>
        <span className="spacer" />
        {state === 'counting' && (
          <>
            <span className="muted small">{`so far ${Math.floor(progress * 100)}%`}</span>
            <Button size="sm" onClick={count.cancel}>
              Cancel
            </Button>
          </>
        )}
        {isCurrent && (
          <span className={css.live}>
            <Dot />
            Live
          </span>
        )}
        {state === 'cancelled' && <span className="muted small">not counted to the end</span>}
        {state === 'off' && counted !== null && <span className="muted small">not counted while incomplete</span>}
        {(state === 'cancelled' || state === 'failed') && (
          <Button size="sm" onClick={count.again}>
            {state === 'failed' ? 'Try again' : 'Count'}
          </Button>
        )}
      </div>
      {state === 'failed' && <p className={css.wrong}>{`Could not count. ${count.problem}`}</p>}
      {state === 'off' && counted === null ? (
        <p className="secondary">Nobody yet. The count follows the conditions.</p>
      ) : (
        counted !== null && <Figures counted={counted} isCurrent={isCurrent} />
      )}
      {counted !== null && isCurrent && <Moves counted={counted} byEdit={count.byEdit} />}
    </section>
  );
}

function Figures({ counted: { view }, isCurrent }: { counted: Counted; isCurrent: boolean }) {
  const { members, people } = view;
  return (
    <div className={isCurrent ? undefined : css.stale}>
      <p className={css.figures}>
        <span className={css.figure}>{formatCount(members)}</span>
        <span className="secondary">{`of ${formatCount(people)} people`}</span>
        <span className="spacer" />
        <span className="muted">{people === 0 ? '' : `${((members / people) * 100).toFixed(1)}%`}</span>
      </p>
      <div className={css.bar} aria-hidden="true">
        <i style={{ width: `${people === 0 ? 0 : (members / people) * 100}%` }} />
      </div>
    </div>
  );
}

function Moves({ counted, byEdit }: { counted: Counted; byEdit: RuleCount['byEdit'] }) {
  const { joinedLastMinute, leftLastMinute, nextLeave } = counted.view;
  return (
    <ul className={css.moves}>
      {joinedLastMinute > 0 && <Move by={joinedLastMinute}>joined in the last minute</Move>}
      {leftLastMinute > 0 && <Move by={-leftLastMinute}>left in the last minute</Move>}
      {byEdit !== null && (
        <Move by={byEdit.members}>
          {'by your last edit: '}
          <Text>{byEdit.text}</Text>
        </Move>
      )}
      {nextLeave !== null && <NextLeave counted={counted} at={nextLeave.atClock} userId={nextLeave.userId} />}
    </ul>
  );
}

function Move({ by, children }: { by: number; children: React.ReactNode }) {
  const sign = by > 0 ? '+' : by < 0 ? MINUS : '\u00b1';
  const tone = by > 0 ? toneCss.ok : by < 0 ? toneCss.bad : undefined;
  return (
    <li>
      <span className={cx('medium', tone)}>{`${sign}${formatCount(Math.abs(by))}`}</span>
      <span>{children}</span>
    </li>
  );
}

const DAY = 86_400_000;

function waitText(ms: number): string {
  if (!Number.isFinite(ms)) return 'paused';
  return ms < DAY ? formatCountdown(ms) : `${(Math.floor((ms / DAY) * 10) / 10).toFixed(1)} days`;
}

/** The countdown is real time; it stands still with the retry clock. */
function NextLeave({ counted, at, userId }: { counted: Counted; at: number; userId: string }) {
  const clock = useRecords((state) => state.clock);
  const now = useNow();
  const wait = realWait(clock, at, now);
  return (
    <li>
      <span className="medium secondary" aria-hidden="true">
        {waitText(wait)}
      </span>
      <span>
        {'until '}
        <span className="mono">
          <Text ltr>{userId}</Text>
        </span>
        {' leaves: '}
        <Text>{leaveText(counted.view, counted.draft)}</Text>
      </span>
    </li>
  );
}
