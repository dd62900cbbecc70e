import { Pause, Play, StepForward, Timer } from 'lucide-react';
import { DEFAULT_RETRY } from '../../contract/names.ts';
import type { ClockView } from '../../contract/values.ts';
import { IconButton } from '../components/button.tsx';
import { Seg } from '../components/controls.tsx';
import layoutCss from '../components/layout.module.css';
import menuCss from '../components/menu.module.css';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { Kbd } from '../components/tag.tsx';
import toneCss from '../components/tone.module.css';
import { cx } from '../lib/cx.ts';
import { formatClock, formatDateTime, formatSpan } from '../lib/format.ts';
import { useRecords } from '../stores/records.ts';
import { SPEEDS, type Speed, setSpeed, speedLabel, stepClock, toggleClock, whyNoStep } from './clock-actions.ts';
import css from './retry-clock.module.css';

const OPTIONS = SPEEDS.map((value) => ({ value, label: speedLabel(value) }));
const PAUSE_KEY = ',';
const STEP_KEY = '.';

/** `Real time. 4 h takes 4 h.` / `A 4 h window takes 4 min.` */
export function speedNote(speed: number, windowMs: number): string {
  const window = formatSpan(windowMs);
  return speed === 1
    ? `Real time. ${window} takes ${window}.`
    : `A ${window} window takes ${formatSpan(Math.round(windowMs / speed / 1000) * 1000)}.`;
}

/** `Paused at 14:32:10. Waits stand still.` */
export const pausedNote = (clock: ClockView): string => `Paused at ${formatClock(clock.clockAt)}. Waits stand still.`;

/** The clock at the foot of the sidebar. `rail` draws it as one button with a menu. */
export function RetryClock({ rail }: { rail: boolean }) {
  const clock = useRecords((state) => state.clock);
  const windowMs = useRecords((state) => state.destination?.retry.windowMs ?? DEFAULT_RETRY.windowMs);
  const noStep = useRecords((state) => whyNoStep(state.status?.nextDueAt));
  if (rail) return <RailClock clock={clock} noStep={noStep} />;
  const { speed, paused } = clock;
  return (
    <section className={cx(css.clock, paused && css.paused)} aria-label="Retry clock">
      <div className={css.top}>
        <span className={cx('medium', css.name)}>Retry clock</span>
        <span className={cx('mono secondary', css.speed)}>{speedLabel(speed)}</span>
        <IconButton
          size="sm"
          label={paused ? 'Resume the retry clock' : 'Pause the retry clock'}
          icon={paused ? Play : Pause}
          hint={<Hint text={paused ? 'Resume the retry clock' : 'Pause the retry clock'} keys={PAUSE_KEY} />}
          onClick={toggleClock}
        />
        <IconButton
          size="sm"
          label="Step to the next round"
          icon={StepForward}
          hint={<Hint text="Step to the next round" keys={STEP_KEY} />}
          unavailable={noStep}
          onClick={() => void stepClock()}
        />
      </div>
      <Seg
        label="Retry clock speed"
        value={speed as Speed}
        options={OPTIONS}
        onChange={(next) => void setSpeed(next)}
      />
      {paused ? (
        <p className={css.warning} title={`${formatDateTime(clock.clockAt)} on the retry clock`}>
          {pausedNote(clock)}
        </p>
      ) : (
        <p>{speedNote(speed, windowMs)}</p>
      )}
    </section>
  );
}

const Hint = ({ text, keys }: { text: string; keys: string }) => (
  <span className={cx('flex-row', layoutCss.gap6)}>
    {text} <Kbd>{keys}</Kbd>
  </span>
);

function RailClock({ clock, noStep }: { clock: ClockView; noStep: string | null }) {
  const { speed, paused } = clock;
  const items: MenuItem[] = [
    {
      kind: 'choice',
      label: 'Retry clock',
      value: String(speed),
      options: OPTIONS.map(({ value, label }) => ({ value: String(value), label })),
      onChange: (value) => void setSpeed(Number(value) as Speed),
    },
    'divider',
    { label: paused ? 'Resume' : 'Pause', icon: paused ? Play : Pause, keys: PAUSE_KEY, run: toggleClock },
    {
      label: 'Step to the next round',
      icon: StepForward,
      keys: STEP_KEY,
      disabled: noStep !== null,
      run: () => void stepClock(),
    },
  ];
  const note = paused ? pausedNote(clock) : noStep;
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={cx(css.inRail, paused && css.paused)}
          aria-label={`Retry clock, ${speedLabel(speed)}${paused ? `, paused at ${formatClock(clock.clockAt)}` : ''}`}
        >
          {paused ? (
            <Pause className="icon icon-large" aria-hidden="true" />
          ) : (
            <Timer className="icon icon-large" aria-hidden="true" />
          )}
          <span>{speedLabel(speed)}</span>
        </button>
      }
      header={
        note !== null && (
          <div className={menuCss.head}>
            <p className={paused ? cx('small', toneCss.warn) : 'muted small'}>{note}</p>
          </div>
        )
      }
      items={items}
    />
  );
}
