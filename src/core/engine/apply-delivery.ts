/** Hands the current webhooks and settings to delivery. */
import { StoreDamagedError } from '../ports.ts';
import type { EngineParts } from './parts.ts';

type AppliedParts = Pick<
  EngineParts,
  'workspace' | 'stores' | 'write' | 'retryClock' | 'dispatcher' | 'receivers' | 'audiences'
>;

/** Resumes paused messages once a webhook is on. */
export function applyDelivery(parts: AppliedParts): void {
  const { workspace, stores, dispatcher, receivers } = parts;
  const { enabled, paused } = workspace.destination.settings;
  const webhooks = workspace.webhooks.all.map((webhook) => ({ ...webhook, enabled: webhook.enabled && enabled }));
  receivers.applySecret();
  dispatcher.hold(!workspace.secretsReadable || paused);
  dispatcher.setWebhooks(webhooks);
  const isOn = webhooks.some((webhook) => webhook.enabled);
  void (isOn ? resumePaused(parts) : Promise.resolve()).then(
    () => {
      dispatcher.reconsider();
      parts.audiences.syncs.deliveryChanged();
    },
    (error: unknown) => {
      if (!(error instanceof StoreDamagedError)) return;
      stores.recovery.distrustDueTimes();
      applyDelivery(parts);
    },
  );
}

/** Resumes all of them in one transaction. In a damaged store, each in its own. */
function resumePaused({ stores, write, retryClock }: AppliedParts): Promise<unknown> {
  const { recovery } = stores;
  const now = retryClock.now();
  if (recovery.areDueTimesTrusted) return write((changes) => recovery.resumePaused(now, changes));
  const resumes = recovery.pausedIds().map((id) => write((changes) => recovery.resumeOne(id, now, changes)));
  return Promise.allSettled(resumes);
}
