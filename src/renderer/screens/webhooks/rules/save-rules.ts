/** Saves the rules. Waiting messages keep their window; their next wait follows the new rules. */
import type { CommandInput } from '../../../../contract/commands.ts';
import type { RulesView } from '../../../../contract/rules.ts';
import type { DestinationView } from '../../../../contract/values.ts';
import { call } from '../../../platform/connect.ts';
import { applyAnswer, useRecords } from '../../../stores/records.ts';
import { tracked } from '../../../stores/saves.ts';
import { showFailure, showToast } from '../../../stores/toasts.ts';

type RulesChange = CommandInput<'destination.save'>;

export const WAITING_NOTE = 'Waiting messages keep their window. Their next wait follows the new rules.';

/** Rejects with a ContractError, for fields that show it. */
export async function saveRules(change: RulesChange): Promise<void> {
  applyAnswer({ destination: await tracked(call('destination.save', change)) });
}

/** For controls without room for an error. */
export function saveRule(change: RulesChange): void {
  saveRules(change).catch((error: unknown) => showFailure('save the delivery rules', error));
}

/** What is left of the destination without what stands beside its rules. */
const rulesOf = ({ enabled, paused, profile, schedule, caFile, secret, ...rules }: DestinationView): RulesView => rules;

/** Changes many rules at once, and offers Undo for all of them. */
export async function replaceRules(change: RulesChange, title: string): Promise<void> {
  const { destination } = useRecords.getState();
  if (destination === undefined) return;
  const before = rulesOf(destination);
  try {
    await saveRules(change);
    showToast({ title, body: WAITING_NOTE, action: { label: 'Undo', run: () => saveRule(before) } });
  } catch (error) {
    showFailure('save the delivery rules', error);
  }
}
