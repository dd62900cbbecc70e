import { formatCountdown } from '../../lib/format.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './demo-fact.module.css';
import { goToStep } from './tour.ts';
import { useDemo } from './use-demo.ts';

/** In the status bar: how long the demo has run, and its seed. Brings back a closed tour. */
export function DemoFact() {
  const demo = useDemo();
  if (demo === null) return null;
  const words = (
    <span className="nowrap">
      Demo {demo.state} <Age since={demo.startedAt} />, seed {demo.seed}
    </span>
  );
  if (demo.step !== null) return words;
  return (
    <button type="button" className={css.link} title="Show the tour" onClick={() => void goToStep(1)}>
      {words}
    </button>
  );
}

function Age({ since }: { since: number }) {
  const now = useNow();
  return <b aria-hidden="true">{formatCountdown(Math.max(1_000, now - since))}</b>;
}
