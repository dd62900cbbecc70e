import { useCallback, useEffect, useRef, useState } from 'react';
import type { AttemptView } from '../../../contract/values.ts';
import { ownAttempts } from '../../message/attempts.ts';

export interface OpenAttempts {
  /** Attempts that are shown in full. */
  readonly ids: ReadonlySet<number>;
  readonly toggle: (attempt: number) => void;
  /** Opens only the attempt after (1) or before (-1) the last viewed one. */
  readonly step: (by: 1 | -1) => void;
  /** The last viewed attempt. */
  readonly at: number | null;
  /** Makes an attempt the viewed one, and the only open one. */
  readonly show: (attempt: number) => void;
}

interface State {
  readonly message: number;
  readonly ids: ReadonlySet<number>;
  /** The last viewed attempt. */
  readonly at: number | null;
}

const nothingOpen = (message: number): State => ({ message, ids: new Set(), at: null });

/** Which attempts of a message are open. Another message starts with none. */
export function useOpenAttempts(message: number, attempts: readonly AttemptView[]): OpenAttempts {
  const [state, setState] = useState(() => nothingOpen(message));
  const own = state.message === message ? state : nothingOpen(message);
  const toggle = useCallback(
    (attempt: number) =>
      setState((old) => {
        const ids = new Set(old.message === message ? old.ids : []);
        if (!ids.delete(attempt)) ids.add(attempt);
        return { message, ids, at: attempt };
      }),
    [message],
  );
  const focusOnceDrawn = useFocusOnceDrawn();
  const show = (attempt: number) => setState({ message, ids: new Set([attempt]), at: attempt });
  const step = (by: 1 | -1) => {
    const next = neighbour(attemptOrder(attempts), own.at, by);
    if (next === undefined) return;
    focusOnceDrawn(next);
    show(next);
  };
  return { ids: own.ids, at: own.at, toggle, step, show };
}

/** Attempts in the order in which they happened, without those of replays. */
export const attemptOrder = (attempts: readonly AttemptView[]): number[] =>
  ownAttempts(attempts)
    .sort((a, b) => a.round - b.round || a.slot - b.slot)
    .map((attempt) => attempt.id);

/** The newest when none was viewed. */
function neighbour(order: readonly number[], at: number | null, by: 1 | -1): number | undefined {
  const from = at === null ? -1 : order.indexOf(at);
  return from === -1 ? order.at(-1) : order[Math.min(order.length - 1, Math.max(0, from + by))];
}

function useFocusOnceDrawn(): (attempt: number) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const element = document.querySelector<HTMLElement>(`[data-attempt="${wanted.current}"]`);
    wanted.current = null;
    element?.focus({ preventScroll: true });
    element?.scrollIntoView?.({ block: 'nearest' });
  });
  return (attempt) => {
    wanted.current = attempt;
  };
}
