/** Which fault a request gets. Pure: what chance and counts say comes in as arguments. */
import type { FaultPath, FaultRule, FaultWhen } from '../../contract/faults.ts';

export interface FaultFacts {
  readonly path: FaultPath;
  /** Null when there is none, or when it is not known yet. */
  readonly writeKey: string | null;
  /**
   * `head`: the body was not read, so only a reset before reading is possible. `whole`: it was, so that one is
   * not, unless the write key was in the body.
   */
  readonly stage: 'head' | 'whole';
  /** Whether the head names the write key. */
  readonly keyInHead: boolean;
}

/** What a rule knows of a request that it is for. */
export interface Draw {
  /** Uniform in [0, 1). */
  readonly chance: number;
  /** Requests before this one that the rule was for. */
  readonly before: number;
  /** The same, of this client alone. */
  readonly beforeOfClient: number;
}

/** The first rule that takes the request, or null. `draw` is asked once for each rule that is for it, in order. */
export function decide<R extends FaultRule>(facts: FaultFacts, rules: readonly R[], draw: (rule: R) => Draw): R | null {
  for (const rule of rules) if (isFor(rule, facts) && takes(rule.when, draw(rule))) return rule;
  return null;
}

/** Whether the request is in the rule's scope at this stage. */
export function isFor(rule: FaultRule, facts: FaultFacts): boolean {
  if (!rule.on) return false;
  if (rule.paths.length === 0 ? facts.path === 'settings' : !rule.paths.includes(facts.path)) return false;
  if (rule.writeKey !== null && rule.writeKey !== facts.writeKey) return false;
  return stageOf(rule, facts) === facts.stage;
}

function stageOf({ action, writeKey }: FaultRule, { keyInHead }: FaultFacts): FaultFacts['stage'] {
  const early = action.kind === 'reset' && action.when === 'before';
  return early && (writeKey === null || keyInHead) ? 'head' : 'whole';
}

function takes(when: FaultWhen, { chance, before, beforeOfClient }: Draw): boolean {
  switch (when.mode) {
    case 'rate':
      return chance < when.percent / 100;
    case 'first':
      return beforeOfClient < when.requests;
    case 'burst':
      return before % (when.fail + when.pass) < when.fail;
  }
}
