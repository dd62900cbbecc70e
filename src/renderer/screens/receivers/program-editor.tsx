import { Plus } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { RECEIVER_LIMITS } from '../../../contract/receiver-limits.ts';
import type { ReceiverStep, ReceiverView } from '../../../contract/receivers.ts';
import { Button } from '../../components/button.tsx';
import { changeReceiver, restartSequence } from './actions.ts';
import { status } from './presets.ts';
import css from './receivers.module.css';
import { StepRow } from './step-row.tsx';
import { type KeyedStep, keyed, moved, sameSteps } from './steps.ts';
import { positionText, responseText } from './words.ts';

/** Ordered steps that save themselves; drag or Alt+arrows reorder them. */
export function ProgramEditor({ receiver }: { receiver: ReceiverView }) {
  const { steps, position } = receiver;
  const [rows, setRows] = useState<readonly KeyedStep[]>(() => keyed(steps));
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const dragged = useRef<number | null>(null);
  const focusKey = useRef<number | null>(null);

  const saved = useRef(steps);
  const saving = useRef(0);

  // What another window saved replaces the rows; while an own save is under way, batches still tell of what was before.
  useEffect(() => {
    saved.current = steps;
    if (saving.current === 0) setRows((now) => (sameSteps(now, steps) ? now : keyed(steps)));
  }, [steps]);
  // A row that has moved keeps the focus, whichever node React moved.
  useEffect(() => {
    if (focusKey.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-step="${focusKey.current}"] button`)?.focus();
    focusKey.current = null;
  });

  const save = async (next: readonly KeyedStep[]) => {
    setRows(next);
    saving.current += 1;
    const done = await changeReceiver(receiver, { steps: next.map(({ step }) => step) });
    saving.current -= 1;
    if (!done) setRows(keyed(saved.current));
  };
  const change = (key: number, part: Partial<ReceiverStep>) =>
    void save(rows.map((row) => (row.key === key ? { key, step: { ...row.step, ...part } } : row)));
  const move = (from: number, to: number) => {
    const row = rows[from];
    if (row === undefined || to < 0 || to >= rows.length || to === from) return;
    focusKey.current = row.key;
    setSaid(`${responseText(row.step.response)} is step ${to + 1} of ${rows.length}`);
    void save(moved(rows, from, to));
  };
  const add = () => void save([...rows, { key: nextKey(rows), step: { response: status(200), times: 1, delayMs: 0 } }]);
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault();
    if (dragged.current !== null) move(dragged.current, to);
    dragged.current = null;
  };
  const forever = rows.findIndex(({ step }) => step.times === 'forever');
  return (
    <section className={css.block} aria-label="Behaviour">
      <div className={`row ${css.blockHead}`}>
        <h3 className="t">Behaviour</h3>
        <span className={`t3 el ${css.order}`}>steps run in order, then repeat</span>
        <span className="sp" />
        <span className="t3 nw">{positionText({ steps, position })}</span>
      </div>
      <ol ref={list} className={css.steps}>
        {rows.map(({ key, step }, at) => (
          <li
            key={key}
            data-step={key}
            onDragStart={(event) => {
              dragged.current = at;
              event.dataTransfer?.setDragImage(event.currentTarget, 12, 15);
            }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => drop(event, at)}
            onDragEnd={() => {
              dragged.current = null;
            }}
          >
            <StepRow
              step={step}
              number={at + 1}
              only={rows.length === 1}
              onChange={(part) => change(key, part)}
              onMove={(by) => move(at, at + by)}
              onRemove={() => void save(rows.filter((row) => row.key !== key))}
            />
          </li>
        ))}
      </ol>
      {forever !== -1 && forever < rows.length - 1 && (
        <p className={`t3 s12 ${css.stepNote}`}>{`Step ${forever + 1} runs for ever, so no later step is reached.`}</p>
      )}
      <div className={`row ${css.stepFoot}`}>
        <Button variant="ghost" size="sm" icon={Plus} disabled={rows.length >= RECEIVER_LIMITS.steps} onClick={add}>
          Add step
        </Button>
        <span className="sp" />
        <Button
          variant="ghost"
          size="sm"
          className="flush-end"
          disabled={receiver.url === null}
          onClick={() => void restartSequence(receiver)}
        >
          Restart sequence
        </Button>
      </div>
      <span className="vh" role="status">
        {said}
      </span>
    </section>
  );
}

const nextKey = (rows: readonly KeyedStep[]): number => Math.max(0, ...rows.map(({ key }) => key)) + 1;
