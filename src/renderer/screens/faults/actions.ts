/** Changes of the rules. The screen keeps no copy: it saves each change and shows the engine's answer. */
import type { FaultRuleInput, FaultRuleView } from '../../../contract/faults.ts';
import { call } from '../../platform/connect.ts';
import { applyAnswer, useRecords } from '../../stores/records.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import type { FaultPreset } from './presets.ts';

/** The saved rules. */
export const inputsOf = (rules: readonly FaultRuleView[]): FaultRuleInput[] =>
  rules.map(({ hits: _hits, ...rule }) => rule);

const current = (): readonly FaultRuleView[] => useRecords.getState().faults?.rules ?? [];

async function save(doing: string, rules: readonly FaultRuleInput[], on?: boolean): Promise<boolean> {
  try {
    applyAnswer({ faults: await tracked(call('faults.save', { rules: [...rules], on })) });
    return true;
  } catch (error) {
    showFailure(doing, error);
    return false;
  }
}

export const changeRule = (id: number, part: Partial<FaultRuleInput>): Promise<boolean> =>
  save(
    'save the rule',
    inputsOf(current()).map((rule) => (rule.id === id ? { ...rule, ...part } : rule)),
  );

export const addRule = (): Promise<boolean> =>
  save('add a rule', [...inputsOf(current()), { action: { kind: 'status', status: 503 } }]);

export async function removeRule(id: number): Promise<void> {
  const before = inputsOf(current());
  const { on } = useRecords.getState().faults ?? { on: false };
  const rest = before.filter((rule) => rule.id !== id);
  if (await save('remove the rule', rest))
    showToast({
      title: 'Rule removed',
      action: { label: 'Undo', run: () => void save('bring the rule back', before, on) },
    });
}

export function moveRule(id: number, by: -1 | 1): void {
  const rules = inputsOf(current());
  const from = rules.findIndex((rule) => rule.id === id);
  const to = from + by;
  if (from === -1 || to < 0 || to >= rules.length) return;
  const [moved] = rules.splice(from, 1);
  rules.splice(to, 0, moved as FaultRuleInput);
  void save('move the rule', rules);
}

/** Replaces all rules and turns faults on. */
export async function applyPreset({ name, rules }: FaultPreset): Promise<void> {
  const before = inputsOf(current());
  const { on } = useRecords.getState().faults ?? { on: false };
  if (!(await save(`use ${name}`, rules, true))) return;
  showToast({
    title: `${name}: ingest faults are on`,
    body: before.length === 0 ? undefined : 'It replaced the earlier rules.',
    action: { label: 'Undo', run: () => void save('bring the rules back', before, before.length > 0 && on) },
  });
}

export async function clearFaults(): Promise<void> {
  try {
    applyAnswer({ faults: await tracked(call('faults.clear')) });
  } catch (error) {
    showFailure('clear the counts', error);
  }
}
