/** Changes of the rules. The screen keeps no copy: it saves each change and shows the engine's answer. */
import type { FaultRuleInput } from '../../../contract/faults.ts';
import { call } from '../../platform/connect.ts';
import { inOrder } from '../../stores/edits.ts';
import { applyAnswer, useRecords } from '../../stores/records.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import type { FaultPreset } from './presets.ts';

/** The rules as the engine has saved them, and whether faults are on. */
function saved(): { readonly rules: FaultRuleInput[]; readonly on: boolean } {
  const { rules = [], on = false } = useRecords.getState().faults ?? {};
  return { rules: rules.map(({ hits: _hits, ...rule }) => rule), on };
}

async function save(doing: string, rules: readonly FaultRuleInput[], on?: boolean): Promise<boolean> {
  try {
    applyAnswer({ faults: await tracked(call('faults.save', { rules: [...rules], on })) });
    return true;
  } catch (error) {
    showFailure(doing, error);
    return false;
  }
}

/** Saves what `change` makes of the rules. Null leaves them as they are. */
const edit = (
  doing: string,
  change: (rules: FaultRuleInput[]) => readonly FaultRuleInput[] | null,
  on?: boolean,
): Promise<boolean> =>
  inOrder(async () => {
    const rules = change(saved().rules);
    return rules !== null && save(doing, rules, on);
  });

const has = (rules: readonly FaultRuleInput[], id: number): boolean => rules.some((rule) => rule.id === id);

export const changeRule = (id: number, part: Partial<FaultRuleInput>): Promise<boolean> =>
  edit('save the rule', (rules) =>
    has(rules, id) ? rules.map((rule) => (rule.id === id ? { ...rule, ...part } : rule)) : null,
  );

export const addRule = (): Promise<boolean> =>
  edit('add a rule', (rules) => [...rules, { action: { kind: 'status', status: 503 } }]);

export async function removeRule(id: number): Promise<void> {
  let before = saved();
  const rest = (rules: FaultRuleInput[]): FaultRuleInput[] | null => {
    before = saved();
    return has(rules, id) ? rules.filter((rule) => rule.id !== id) : null;
  };
  if (await edit('remove the rule', rest))
    showToast({
      title: 'Rule removed',
      action: { label: 'Undo', run: () => void edit('bring the rule back', () => before.rules, before.on) },
    });
}

export const moveRule = (id: number, by: -1 | 1): Promise<boolean> =>
  edit('move the rule', (rules) => {
    const from = rules.findIndex((rule) => rule.id === id);
    const to = from + by;
    if (from === -1 || to < 0 || to >= rules.length) return null;
    const [moved] = rules.splice(from, 1);
    rules.splice(to, 0, moved as FaultRuleInput);
    return rules;
  });

/** Replaces all rules and turns faults on. */
export async function applyPreset({ name, rules }: FaultPreset): Promise<void> {
  let before = saved();
  const replaced = (): readonly FaultRuleInput[] => {
    before = saved();
    return rules;
  };
  if (!(await edit(`use ${name}`, replaced, true))) return;
  const wasOn = before.rules.length > 0 && before.on;
  showToast({
    title: `${name}: ingest faults are on`,
    body: before.rules.length === 0 ? undefined : 'It replaced the earlier rules.',
    action: { label: 'Undo', run: () => void edit('bring the rules back', () => before.rules, wasOn) },
  });
}

export async function clearFaults(): Promise<void> {
  try {
    applyAnswer({ faults: await tracked(call('faults.clear')) });
  } catch (error) {
    showFailure('clear the counts', error);
  }
}
