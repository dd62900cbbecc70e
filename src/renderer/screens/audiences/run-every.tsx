import type { AudienceRow } from '../../../contract/audiences.ts';
import { Seg } from '../../components/controls.tsx';
import { realWait } from '../../lib/clock.ts';
import { formatClock, formatCount, formatCountdown, formatSpan, plural } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import { useNow } from '../../stores/ticker.ts';
import { changePlan } from './actions.ts';
import panelCss from './next-sync.module.css';
import css from './run-every.module.css';
import { useHistory } from './use-history.ts';
import { PLANS, pendingCount, planOf, planValue, sentOf } from './words.ts';

const WIDTH = 332;
const BASE = 54;
const PAST = 10;
const TO_COME = 4;
const STEP = WIDTH / (PAST + TO_COME);
const HIGHEST = 40;

/** When it syncs by itself, with the syncs so far as bars and those to come as outlines. */
export function RunEvery({ audience, note }: { audience: AudienceRow; note?: string | undefined }) {
  const { sync } = audience;
  const clock = useRecords((state) => state.clock);
  return (
    <section className={panelCss.block} aria-label="Run every">
      <div className={css.head}>
        <h3>Run every</h3>
        <Seg
          label="Run every"
          value={planValue(sync)}
          options={PLANS}
          onChange={(value) => void changePlan(audience, planOf(value))}
        />
      </div>
      <Runs audience={audience} />
      <p className="muted small">
        {planText(audience, clock.speed)}
        {sync.when === 'every' && note !== undefined && ` ${note}`}
      </p>
    </section>
  );
}

function planText({ kind, sync }: AudienceRow, speed: number): string {
  if (sync.when === 'hand') return 'It syncs only when you say so.';
  if (sync.when === 'change')
    return `It syncs as soon as ${kind === 'trait' ? 'a value changes' : 'a member comes or goes'}.`;
  const real = formatSpan(sync.everyMs / speed);
  return speed === 1
    ? `Follows the retry clock: every ${formatSpan(sync.everyMs)}.`
    : `Follows the retry clock: at ${formatCount(speed)}\u00d7 it runs every ${real}.`;
}

function Runs({ audience }: { audience: AudienceRow }) {
  const history = useHistory(audience);
  const next = useNextRun(audience);
  const past = history.slice(0, PAST).reverse();
  if (past.length === 0 && next === null) return null;
  const pending = pendingCount(audience.counts);
  const sizes = past.map(sentOf);
  const most = Math.max(1, pending, ...sizes);
  const height = (size: number) => Math.max(2, (size / most) * HIGHEST);
  const sentence = runsSentence(sizes, next, pending);
  return (
    <svg className={css.runs} viewBox={`0 0 ${WIDTH} 74`} width="100%" role="img" aria-label={sentence}>
      <path d={`M0 ${BASE + 0.5}H${WIDTH}`} className={css.axis} />
      {past.map((sync, i) => (
        <rect
          key={sync.id}
          className={css.bar}
          x={i * STEP + 4}
          y={BASE - height(sizes[i]!)}
          width={STEP - 8}
          height={height(sizes[i]!)}
          rx={2}
        />
      ))}
      {past.length > 0 && (
        <text x={4} y={70}>
          {formatClock(past[0]!.startedAt).slice(0, 5)}
        </text>
      )}
      {past.length > 2 && (
        <text x={(past.length - 0.5) * STEP} y={70} textAnchor="middle">
          {formatClock(past.at(-1)!.startedAt).slice(0, 5)}
        </text>
      )}
      {next !== null && (
        <>
          {Array.from({ length: TO_COME }, (_, i) => {
            const tall = i === 0 ? Math.max(8, height(pending)) : 19;
            const x = (past.length + i) * STEP + 4.5;
            return (
              <rect
                key={x}
                className={i === 0 ? css.next : css.toCome}
                x={x}
                y={BASE - tall - 0.5}
                width={STEP - 9}
                height={tall}
                rx={2}
              />
            );
          })}
          <text
            className={css.nextText}
            x={(past.length + 0.5) * STEP}
            y={BASE - Math.max(8, height(pending)) - 6}
            textAnchor="middle"
          >
            {formatCount(pending)}
          </text>
          <text className={css.nextText} x={WIDTH - 1} y={70} textAnchor="end">
            {next}
          </text>
        </>
      )}
    </svg>
  );
}

/** `next in 0:47`; null when none is planned. */
function useNextRun({ nextSyncClock }: AudienceRow): string | null {
  const clock = useRecords((state) => state.clock);
  const now = useNow();
  if (nextSyncClock === null) return null;
  const wait = realWait(clock, nextSyncClock, now);
  return Number.isFinite(wait) ? `next in ${formatCountdown(wait)}` : 'retry clock paused';
}

function runsSentence(sizes: readonly number[], next: string | null, pending: number): string {
  const before =
    sizes.length === 0
      ? 'No sync so far.'
      : `${plural(sizes.length, 'sync')}, the last sent ${formatCount(sizes.at(-1)!)}.`;
  return next === null ? before : `${before} The ${next} sends ${formatCount(pending)}.`;
}
