/** Decides which fault a request gets. Pure: chance and counts come in as arguments. */
import type { FaultPath, FaultRule, FaultWhen } from '../../contract/faults.ts';

export interface FaultFacts {
  readonly path: FaultPath;
  /** Null when there is none or it is not known yet. */
  readonly writeKey: string | null;
  /**
   * `head`: the body is not read yet, so the only possible fault is a reset before reading. `whole`: the body was read,
   * so that reset is possible only if the write key was in the body.
   */
  readonly stage: 'head' | 'whole';
  /** Whether the head names the write key. */
  readonly keyInHead: boolean;
}

/** What a rule may base its decision on, for a request in its scope. */
export interface Draw {
  /** Uniform in [0, 1). */
  readonly chance: number;
  /** How many requests in the rule's scope came before this one. */
  readonly before: number;
  /** The same, counting this client alone. */
  readonly beforeOfClient: number;
}

/** The first rule that takes the request, or null. Asks `draw` once for each rule in whose scope it is, in order. */
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
