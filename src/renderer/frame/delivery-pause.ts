/** Pauses all delivery. This differs from pausing the view or the retry clock (design/ui, section 8). */
import { call } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import { tracked } from '../stores/saves.ts';
import { showFailure } from '../stores/toasts.ts';

export async function setDeliveryPaused(paused: boolean): Promise<void> {
  try {
    applyAnswer({ destination: await tracked(call('destination.save', { paused })) });
  } catch (error) {
    showFailure(paused ? 'pause delivery' : 'resume delivery', error);
  }
}

export function toggleDelivery(): void {
  const { destination } = useRecords.getState();
  if (destination !== undefined) void setDeliveryPaused(!destination.paused);
}
