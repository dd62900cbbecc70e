import { Check, X } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { TOUR_STEPS, type TourStep } from '../../../contract/demo-limits.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Kbd } from '../../components/tag.tsx';
import { cx } from '../../lib/cx.ts';
import { letterAllowed } from '../keys.ts';
import { useWindowKeys } from '../use-window-keys.ts';
import { goToStep, LAST_STEP, moveTour, TOUR_TEXTS } from './tour.ts';
import css from './tour-bar.module.css';
import { useDemo } from './use-demo.ts';

/** N and Shift N, before any screen sees them. */
function useTourKeys(): void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'n' || event.repeat || !letterAllowed(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    moveTour(event.shiftKey ? -1 : 1);
  };
  useWindowKeys(onKey, { early: true });
}

/** Between the page and the status bar: it covers nothing and never takes the focus (design/ui, section 17). */
export function TourBar() {
  const demo = useDemo();
  if (demo === null || demo.step === null) return null;
  return <Tour step={demo.step} problem={demo.problem} />;
}

/** A focus in the bar goes to the page when the bar goes, so that the keyboard is not sent to the beginning. */
function useFocusBack(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current;
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById('main')?.focus();
    };
  }, [bar]);
}

function Tour({ step, problem }: { step: TourStep; problem: string | null }) {
  const bar = useRef<HTMLElement>(null);
  useTourKeys();
  useFocusBack(bar);
  return (
    <section ref={bar} className={css.tour} aria-label={`Demo tour, step ${step} of ${LAST_STEP}`} data-region="tour">
      <ol>
        {TOUR_STEPS.map((title, i) => (
          <Step key={title} title={title} number={i + 1} current={step} />
        ))}
      </ol>
      <p className={css.text} title={TOUR_TEXTS[step]}>
        {problem ?? TOUR_TEXTS[step]}
      </p>
      {step > 1 && (
        <Button variant="ghost" onClick={() => moveTour(-1)}>
          Back
        </Button>
      )}
      <Button variant="primary" onClick={() => moveTour(1)}>
        {step === LAST_STEP ? 'Finish the tour' : <Next title={titleAfter(step)} />} <Kbd>N</Kbd>
      </Button>
      <IconButton label="End the tour" icon={X} onClick={() => void goToStep(null)} />
    </section>
  );
}

const titleAfter = (step: TourStep): string => (TOUR_STEPS as readonly string[])[step] ?? '';

const Next = ({ title }: { title: string }) => (
  <span>
    Next<span className={css.nextTitle}>: {title}</span>
  </span>
);

function Step({ title, number, current }: { title: string; number: number; current: TourStep }) {
  const isDone = number < current;
  const isCurrent = number === current;
  return (
    <li className={cx(isDone && css.done, isCurrent && css.current)} aria-current={isCurrent ? 'step' : undefined}>
      <i>{isDone ? <Check aria-hidden="true" /> : number}</i>
      <span className={isCurrent ? undefined : 'visually-hidden'}>{title}</span>
    </li>
  );
}
