import { Plus } from 'lucide-react';
import { type DragEvent, useRef } from 'react';
import { RECEIVER_LIMITS } from '../../../contract/receiver-limits.ts';
import type { ReceiverView } from '../../../contract/receivers.ts';
import buttonCss from '../../components/button.module.css';
import { Button } from '../../components/button.tsx';
import { cx } from '../../lib/cx.ts';
import { restartSequence } from './actions.ts';
import css from './program-editor.module.css';
import receiversCss from './receivers.module.css';
import { StepRow } from './step-row.tsx';
import { type Steps, useSteps } from './use-steps.ts';
import { positionText } from './words.ts';

/** Ordered steps that save themselves. Dragging or Alt+arrows reorder them. */
export function ProgramEditor({ receiver }: { receiver: ReceiverView }) {
  const list = useRef<HTMLOListElement>(null);
  const steps = useSteps(receiver, list);
  const dragging = useDragging(steps.move);
  const { rows } = steps;
  return (
    <section className={receiversCss.block} aria-label="Behaviour">
      <div className={cx('flex-row', receiversCss.blockHead)}>
        <h3>Behaviour</h3>
        <span className={cx('muted ellipsis', css.order)}>steps run in order, then repeat</span>
        <span className="spacer" />
        <span className="muted nowrap">{positionText(receiver)}</span>
      </div>
      <ol ref={list} className={css.steps}>
        {rows.map(({ key, step }, at) => (
          <li key={key} data-step={key} {...dragging(at)}>
            <StepRow
              step={step}
              number={at + 1}
              only={rows.length === 1}
              onChange={(part) => steps.change(key, part)}
              onMove={(by) => steps.move(at, at + by)}
              onRemove={() => steps.remove(key)}
            />
          </li>
        ))}
      </ol>
      <UnreachedNote rows={rows} />
      <div className={cx('flex-row', css.stepFoot)}>
        <Button
          variant="ghost"
          size="sm"
          icon={Plus}
          disabled={rows.length >= RECEIVER_LIMITS.steps}
          onClick={steps.add}
        >
          Add step
        </Button>
        <span className="spacer" />
        <Button
          variant="ghost"
          size="sm"
          className={buttonCss.flushEnd}
          disabled={receiver.url === null}
          onClick={() => void restartSequence(receiver)}
        >
          Restart sequence
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {steps.said}
      </span>
    </section>
  );
}

/** Handlers for the row at a position, to drag it and to drop others on it. */
function useDragging(move: Steps['move']) {
  const dragged = useRef<number | null>(null);
  return (at: number) => ({
    onDragStart: (event: DragEvent) => {
      dragged.current = at;
      event.dataTransfer?.setDragImage(event.currentTarget, 12, 15);
    },
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged.current !== null) move(dragged.current, at);
      dragged.current = null;
    },
    onDragEnd: () => {
      dragged.current = null;
    },
  });
}

function UnreachedNote({ rows }: Pick<Steps, 'rows'>) {
  const forever = rows.findIndex(({ step }) => step.times === 'forever');
  if (forever === -1 || forever === rows.length - 1) return null;
  return (
    <p
      className={cx('muted small', css.stepNote)}
    >{`Step ${forever + 1} runs for ever, so no later step is reached.`}</p>
  );
}
