import { useCallback, useEffect, useRef, useState } from 'react';
import type { ComputedTraitInput, TraitView } from '../../../../contract/people.ts';
import { failureText } from '../../../components/commit-field.tsx';
import { call } from '../../../platform/connect.ts';
import { useRecords } from '../../../stores/records.ts';

/** A recount begins when the definition has not changed for this long, in real milliseconds. */
const REST_MS = 120;
/** While it counts, it is asked how far it is this often. */
const ASK_MS = 100;
/** Real milliseconds between two readings of values that change. */
const EVERY_MS = 250;

export interface TraitCounting {
  /** The last finished count, which may be of the definition before. Null before the first, and while `off`. */
  readonly view: TraitView | null;
  /** `off`: something in the definition is missing or wrong. */
  readonly state: 'off' | 'counting' | 'ready' | 'cancelled' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  /** Why it failed. */
  readonly problem: string | null;
  readonly cancel: () => void;
  readonly again: () => void;
}

type Status = Pick<TraitCounting, 'state' | 'progress' | 'problem'>;

/** The values of a definition: computed after a rest when it is edited, and again when people change. */
export function useTraitView(trait: ComputedTraitInput | null): TraitCounting {
  const version = useRecords((state) => state.people?.version ?? 0);
  const [status, setStatus] = useState<Status>({ state: 'off', progress: 0, problem: null });
  const [view, setView] = useState<TraitView | null>(null);
  const [turn, setTurn] = useState(0);
  const asked = trait === null ? null : JSON.stringify(trait);
  const stop = useRef<() => void>(() => {});
  const poke = useRef<() => void>(() => {});

  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn counts again
  useEffect(() => {
    if (asked === null) {
      setStatus({ state: 'off', progress: 0, problem: null });
      return;
    }
    const own = JSON.parse(asked) as ComputedTraitInput;
    setStatus((before) => ({ ...before, state: 'counting', progress: 0, problem: null }));
    const following = follow(own, {
      answered: (next) => {
        setStatus({ state: next.done ? 'ready' : 'counting', progress: next.progress, problem: null });
        if (next.done) setView(next);
      },
      failed: (error) => setStatus({ state: 'failed', progress: 0, problem: failureText(error) }),
    });
    poke.current = following.poke;
    stop.current = following.stop;
    return following.stop;
  }, [asked, turn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to ask
  useEffect(() => poke.current(), [version]);

  const cancel = useCallback(() => {
    stop.current();
    setStatus((before) => ({ ...before, state: 'cancelled' }));
  }, []);
  return { ...status, view: status.state === 'off' ? null : view, cancel, again: () => setTurn((now) => now + 1) };
}

/** Asks until it is counted, and again when poked. One question at a time. */
function follow(
  trait: ComputedTraitInput,
  on: { answered: (view: TraitView) => void; failed: (error: unknown) => void },
): { poke: () => void; stop: () => void } {
  let isGone = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isStale = false;
  const later = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = null;
      void ask();
    }, ms);
  };
  const ask = async (): Promise<void> => {
    isStale = false;
    isAsking = true;
    try {
      const view = await call('people.trait', { trait });
      if (isGone) return;
      on.answered(view);
      if (!view.done) later(ASK_MS);
      else if (isStale) later(EVERY_MS);
    } catch (error) {
      if (!isGone) on.failed(error);
    } finally {
      isAsking = false;
    }
  };
  let isAsking = false;
  later(REST_MS);
  return {
    poke: () => {
      if (isGone) return;
      if (isAsking) isStale = true;
      else later(EVERY_MS);
    },
    stop: () => {
      if (isGone) return;
      isGone = true;
      if (timer !== null) clearTimeout(timer);
      // What a saved trait uses is counted on.
      call('people.cancel', { trait }).catch(() => {});
    },
  };
}
