/** Turns the last set of ingest faults on and off from anywhere (design/ui, section 9). */
import { call } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import { navigate } from '../stores/route.ts';
import { tracked } from '../stores/saves.ts';
import { showFailure } from '../stores/toasts.ts';

export async function setFaultsOn(on: boolean): Promise<void> {
  try {
    applyAnswer({ faults: await tracked(call('faults.save', { on })) });
  } catch (error) {
    showFailure(`turn ingest faults ${on ? 'on' : 'off'}`, error);
  }
}

/** When no rule could be turned on, opens the screen where rules are made. */
export function toggleFaults(): void {
  const { faults } = useRecords.getState();
  if (faults === undefined) return;
  if (!faults.on && !faults.rules.some((rule) => rule.on)) return navigate({ screen: 'faults' });
  void setFaultsOn(!faults.on);
}
