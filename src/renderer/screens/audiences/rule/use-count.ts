import { useCallback, useEffect, useRef, useState } from 'react';
import { ContractError } from '../../../../contract/errors.ts';
import type { AudienceRuleInput, RuleView } from '../../../../contract/people.ts';
import { call } from '../../../platform/connect.ts';
import { useRecords } from '../../../stores/records.ts';
import type { DraftGroup } from './draft.ts';
import { editText } from './words.ts';

/** A recount begins when the rule has not changed for this long, in real milliseconds. */
const REST_MS = 120;
/** While it counts, it is asked how far it is this often. */
const ASK_MS = 100;

/** A finished count of a rule. */
export interface Counted {
  readonly view: RuleView;
  /** The rule that was counted. */
  readonly draft: DraftGroup;
  readonly rule: AudienceRuleInput;
}

export interface RuleCount {
  /** The last finished count, which may be of the rule before. Null before the first, and for an empty rule. */
  readonly counted: Counted | null;
  /** `off`: there is no rule to count, because it is empty or something in it is missing or wrong. */
  readonly state: 'off' | 'counting' | 'ready' | 'cancelled' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  /** The rule as a sentence, of the last answer. */
  readonly sentence: string | null;
  /** Why it failed. */
  readonly problem: string | null;
  /** By how many members the last edit changed the count, and what the edit was. */
  readonly byEdit: { readonly members: number; readonly text: string } | null;
  readonly cancel: () => void;
  readonly again: () => void;
}

type Status = Pick<RuleCount, 'state' | 'progress' | 'sentence' | 'problem'>;

const OFF: Status = { state: 'off', progress: 0, sentence: null, problem: null };

/** Counts the rule of a draft: after a rest when it is edited, and at once when people change. */
export function useCount(rule: AudienceRuleInput | null, draft: DraftGroup): RuleCount {
  const version = useRecords((state) => state.people?.version ?? 0);
  const [status, setStatus] = useState<Status>(OFF);
  const [counted, setCounted] = useState<Counted | null>(null);
  const [byEdit, setByEdit] = useState<RuleCount['byEdit']>(null);
  const [turn, setTurn] = useState(0);
  const asked = rule === null || rule.of.length === 0 ? null : JSON.stringify(rule);
  const last = useRef<Counted | null>(null);
  const following = useRef<Following | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another draft of the same rule counts the same
  useEffect(() => {
    if (asked === null) {
      setStatus(OFF);
      return;
    }
    setStatus((before) => ({ ...before, state: 'counting', progress: 0, problem: null }));
    const own = JSON.parse(asked) as AudienceRuleInput;
    const follow = followRule(own, last.current === null ? 0 : REST_MS, {
      answered: (view) => {
        const { done, progress, sentence } = view;
        setStatus({ state: done ? 'ready' : 'counting', progress, sentence, problem: null });
        if (!done) return;
        const next = { view, draft, rule: own };
        const before = last.current;
        last.current = next;
        if (before !== null && before.draft !== draft) setByEdit(editOf(before, next));
        setCounted(next);
      },
      failed: (error) => setStatus((before) => ({ ...before, state: 'failed', problem: reasonOf(error) })),
    });
    following.current = follow;
    return follow.stop;
  }, [asked, turn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to ask
  useEffect(() => following.current?.poke(), [version]);

  const cancel = useCallback(() => {
    following.current?.stop();
    setStatus((before) => ({ ...before, state: 'cancelled' }));
  }, []);
  return {
    ...status,
    counted: draft.of.length === 0 ? null : counted,
    byEdit,
    cancel,
    again: () => setTurn((now) => now + 1),
  };
}

interface Following {
  /** Asks again when the count was finished. */
  poke(): void;
  /** Stops counting. */
  stop(): void;
}

/** Asks for the count of one rule until it is done, and again when poked. One question at a time. */
function followRule(
  rule: AudienceRuleInput,
  waitMs: number,
  on: { answered(view: RuleView): void; failed(error: unknown): void },
): Following {
  let isGone = false;
  let isDone = false;
  let isAsking = false;
  let isStale = false;
  let timer = setTimeout(() => void ask(), waitMs);
  const ask = async (): Promise<void> => {
    isAsking = true;
    isStale = false;
    try {
      const view = await call('people.rule', { rule });
      if (isGone) return;
      isDone = view.done;
      on.answered(view);
      if (!isDone) timer = setTimeout(() => void ask(), ASK_MS);
    } catch (error) {
      if (!isGone) on.failed(error);
    } finally {
      isAsking = false;
    }
    if (isStale && !isGone) void ask();
  };
  return {
    poke: () => {
      if (!isDone || isGone) return;
      if (isAsking) isStale = true;
      else void ask();
    },
    stop: () => {
      if (isGone) return;
      isGone = true;
      clearTimeout(timer);
      call('people.cancel', { rule }).catch(() => {});
    },
  };
}

const editOf = (before: Counted, after: Counted): RuleCount['byEdit'] => ({
  members: after.view.members - before.view.members,
  text: editText(before.draft, after.draft),
});

const reasonOf = (error: unknown): string =>
  error instanceof ContractError ? error.message : 'Something failed in this window.';
