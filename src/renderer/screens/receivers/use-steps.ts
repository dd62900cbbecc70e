/** The steps of a receiver while they are edited. Every change saves itself. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ReceiverStep, ReceiverView } from '../../../contract/receivers.ts';
import { changeReceiver } from './actions.ts';
import { status } from './presets.ts';
import { type KeyedStep, keyed, moved, nextKey, sameSteps } from './steps.ts';
import { responseText } from './words.ts';

export interface Steps {
  readonly rows: readonly KeyedStep[];
  /** The last move, for screen readers. */
  readonly said: string;
  readonly change: (key: number, part: Partial<ReceiverStep>) => void;
  /** Positions count from 0. Does nothing when there is no such position. */
  readonly move: (from: number, to: number) => void;
  readonly add: () => void;
  readonly remove: (key: number) => void;
}

/** `list` holds an element `[data-step]` for each row. */
export function useSteps(receiver: ReceiverView, list: RefObject<HTMLElement | null>): Steps {
  const [rows, save] = useSavedRows(receiver);
  const [said, setSaid] = useState('');
  const keepFocus = useFocusOnceDrawn(list);
  return {
    rows,
    said,
    change: (key, part) => save(rows.map((row) => (row.key === key ? { key, step: { ...row.step, ...part } } : row))),
    move: (from, to) => {
      const row = rows[from];
      if (row === undefined || to < 0 || to >= rows.length || to === from) return;
      keepFocus(row.key);
      setSaid(`${responseText(row.step.response)} is step ${to + 1} of ${rows.length}`);
      save(moved(rows, from, to));
    },
    add: () => save([...rows, { key: nextKey(rows), step: { response: status(200), times: 1, delayMs: 0 } }]),
    remove: (key) => save(rows.filter((row) => row.key !== key)),
  };
}

/**
 * The rows during editing. A save by another window replaces them. While a save of this window is under way, batches
 * still have the old state and are ignored. A failed save restores what is stored.
 */
function useSavedRows(receiver: ReceiverView): [readonly KeyedStep[], (next: readonly KeyedStep[]) => void] {
  const { steps } = receiver;
  const [rows, setRows] = useState<readonly KeyedStep[]>(() => keyed(steps));
  const saved = useRef(steps);
  const saving = useRef(0);
  useEffect(() => {
    saved.current = steps;
    if (saving.current === 0) setRows((now) => (sameSteps(now, steps) ? now : keyed(steps)));
  }, [steps]);
  const save = async (next: readonly KeyedStep[]) => {
    setRows(next);
    saving.current += 1;
    const done = await changeReceiver(receiver, { steps: next.map(({ step }) => step) });
    saving.current -= 1;
    if (!done) setRows(keyed(saved.current));
  };
  return [rows, (next) => void save(next)];
}

/** A moved row keeps the focus, whichever node React moved. */
function useFocusOnceDrawn(list: RefObject<HTMLElement | null>): (key: number) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-step="${wanted.current}"] button`)?.focus();
    wanted.current = null;
  });
  return (key) => {
    wanted.current = key;
  };
}
