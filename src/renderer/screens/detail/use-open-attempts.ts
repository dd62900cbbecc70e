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
  /** The attempt that the address named when this began. */
  readonly named: number | null;
  readonly ids: ReadonlySet<number>;
  /** The last viewed attempt. */
  readonly at: number | null;
}

const begun = (message: number, named: number | null): State => ({
  message,
  named,
  ids: new Set(named === null ? [] : [named]),
  at: named,
});

const ofNow = (state: State, message: number, named: number | null): State =>
  state.message === message && state.named === named ? state : begun(message, named);

/**
 * Which attempts of a message are open. Another message, and an address that names another attempt, starts with that
 * attempt alone; it is scrolled into view and gets the focus.
 */
export function useOpenAttempts(
  message: number,
  attempts: readonly AttemptView[],
  named: number | null = null,
): OpenAttempts {
  const [state, setState] = useState(() => begun(message, named));
  const own = ofNow(state, message, named);
  const toggle = useCallback(
    (attempt: number) =>
      setState((old) => {
        const ids = new Set(ofNow(old, message, named).ids);
        if (!ids.delete(attempt)) ids.add(attempt);
        return { message, named, ids, at: attempt };
      }),
    [message, named],
  );
  const focusOnceDrawn = useFocusOnceDrawn(message, named);
  const show = (attempt: number) => setState({ message, named, ids: new Set([attempt]), at: attempt });
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

/** A named attempt is in the middle of the view, because its details stand below its row. */
function useFocusOnceDrawn(message: number, named: number | null): (attempt: number) => void {
  const wanted = useRef<{ readonly attempt: number; readonly block: ScrollLogicalPosition } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each message begins anew
  useEffect(() => {
    wanted.current = named === null ? null : { attempt: named, block: 'center' };
  }, [message, named]);
  useEffect(() => {
    if (wanted.current === null) return;
    const { attempt, block } = wanted.current;
    const element = document.querySelector<HTMLElement>(`[data-attempt="${attempt}"]`);
    if (element === null) return;
    wanted.current = null;
    element.focus({ preventScroll: true });
    element.scrollIntoView?.({ block });
  });
  return (attempt) => {
    wanted.current = { attempt, block: 'nearest' };
  };
}
