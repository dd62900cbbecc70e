/** The stored settings of ingest faults. */
import { type FaultRule, faultRules } from '../../contract/faults.ts';
import type { Random } from '../ports.ts';

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

/** Reads what is stored. A value of another version counts as missing. */
export function settingsOf(stored: unknown, random: Random): FaultSettings {
  const { on, seed, rules } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const parsed = faultRules.safeParse(rules);
  return {
    on: on === true && parsed.success && parsed.data.length > 0,
    seed: typeof seed === 'number' ? seed : Math.floor(random.next() * 2 ** 32),
    rules: parsed.success ? numbered(parsed.data, []) : [],
  };
}
