import { Timer } from 'lucide-react';
import { Seg } from '../components/controls.tsx';
import { Menu } from '../components/menu.tsx';
import { formatSpan } from '../lib/format.ts';
import { call } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import { showFailure, showToast } from '../stores/toasts.ts';

export const SPEEDS = [1, 10, 60, 240] as const;
export type Speed = (typeof SPEEDS)[number];
const speedLabel = (speed: number): string => `${speed}\u00d7`;

/** Sets the speed and offers the way back. */
export async function setSpeed(speed: Speed, undoable = true): Promise<void> {
  const before = useRecords.getState().clock.speed as Speed;
  if (before === speed) return;
  try {
    applyAnswer({ clock: await call('clock.setSpeed', { speed }) });
    showToast({
      title: `Retry clock at ${speedLabel(speed)}`,
      body: 'Waits between rounds are scaled. The response time limit stays in real time.',
      action: undoable ? { label: 'Undo', run: () => void setSpeed(before, false) } : undefined,
    });
  } catch (error) {
    showFailure('change the retry clock', error);
  }
}

/** One step slower or faster, for the keys - and =. */
export function stepSpeed(by: 1 | -1): void {
  const at = SPEEDS.indexOf(useRecords.getState().clock.speed as Speed);
  const next = SPEEDS[Math.max(0, at) + by];
  if (next !== undefined) void setSpeed(next);
}

/** `Real time. 4 h takes 4 h.` / `A 4 h window takes 4 min.` */
export function speedNote(speed: number, windowMs: number): string {
  const window = formatSpan(windowMs);
  return speed === 1
    ? `Real time. ${window} takes ${window}.`
    : `A ${window} window takes ${formatSpan(Math.round(windowMs / speed / 1000) * 1000)}.`;
}

/** The clock at the foot of the sidebar. `rail` draws it as one button with a menu. */
export function RetryClock({ rail }: { rail: boolean }) {
  const speed = useRecords((state) => state.clock.speed);
  const windowMs = useRecords((state) => state.destination?.retry.windowMs ?? 14_400_000);
  const options = SPEEDS.map((value) => ({ value, label: speedLabel(value) }));
  if (rail) {
    return (
      <Menu
        trigger={
          <button type="button" className="clock-rail" aria-label={`Retry clock, ${speedLabel(speed)}`}>
            <Timer className="ic" aria-hidden="true" />
            <span>{speedLabel(speed)}</span>
          </button>
        }
        items={[
          {
            kind: 'choice',
            label: 'Retry clock',
            value: String(speed),
            options: options.map(({ value, label }) => ({ value: String(value), label })),
            onChange: (value) => void setSpeed(Number(value) as Speed),
          },
        ]}
      />
    );
  }
  return (
    <section className="clock" aria-label="Retry clock">
      <div className="row">
        <span className="b5">Retry clock</span>
        <span className="mono t2">{speedLabel(speed)}</span>
      </div>
      <Seg
        label="Retry clock speed"
        value={speed as Speed}
        options={options}
        onChange={(next) => void setSpeed(next)}
      />
      <p>{speedNote(speed, windowMs)}</p>
    </section>
  );
}
