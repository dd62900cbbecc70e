/** The stored settings of ingest faults. */
import { ContractError } from '../../contract/errors.ts';
import { type FaultRule, faultRules, type faultsInput } from '../../contract/faults.ts';

export type NumberedRule = FaultRule & { readonly id: number };

export interface FaultSettings {
  readonly on: boolean;
  readonly seed: number;
  readonly rules: readonly NumberedRule[];
}

/** False while no rule can strike. */
export const isActive = ({ on, rules }: FaultSettings): boolean => on && rules.some((rule) => rule.on);

/** Keeps the ids that are given. A new id is never one that an earlier rule had. */
export function numbered(rules: readonly FaultRule[], before: readonly NumberedRule[]): NumberedRule[] {
  let last = Math.max(0, ...[...rules, ...before].map(({ id }) => id ?? 0));
  return rules.map((rule) => ({ ...rule, id: rule.id ?? ++last }));
}

export type FaultEdit = (typeof faultsInput)['_output'];

/** Error `no_fault_rules`. Without rules there is nothing to be on. */
export function editedSettings(before: FaultSettings, { on, rules, seed }: FaultEdit): FaultSettings {
  const next = {
    on: on ?? before.on,
    seed: seed ?? before.seed,
    rules: rules === undefined ? before.rules : numbered(rules, before.rules),
  };
  if (next.rules.length > 0) return next;
  if (on === true) throw new ContractError('no_fault_rules');
  return { ...next, on: false };
}

/** Reads what is stored. A value of another version counts as missing. `newSeed` is for settings without one. */
export function settingsOf(stored: unknown, newSeed: () => number): FaultSettings {
  const { on, seed, rules } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const parsed = faultRules.safeParse(rules);
  return {
    on: on === true && parsed.success && parsed.data.length > 0,
    seed: typeof seed === 'number' ? seed : newSeed(),
    rules: parsed.success ? numbered(parsed.data, []) : [],
  };
}
