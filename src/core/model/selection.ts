/**
 * Whether a call goes to Webhooks (decisions, Selecting the destination; client library specification,
 * section 4.2). The switches of the destination, the source and the single event come first. Then the call's
 * `integrations` decide:
 * the value under the exact key `Webhooks`, else the one under `All`, else the call goes. Only `false` means off.
 */
import type { JsonObject } from './call.ts';
import type { Note } from './message.ts';
import type { NotSelectedReason } from './vocabulary.ts';

export interface Switches {
  readonly destinationEnabled: boolean;
  /** Whether the source has the destination on. */
  readonly sourceWebhooks: boolean;
  readonly sourceName: string;
  readonly webhookCount: number;
  /** Track events that the source has switched off. */
  readonly eventsOff: ReadonlySet<string>;
}

export interface Selection {
  /** Null when selected. */
  readonly reason: NotSelectedReason | null;
  readonly detail: string | null;
  readonly notes: readonly Note[];
}

export const DESTINATION_NAME = 'Webhooks';

const SELECTED: Selection = { reason: null, detail: null, notes: [] };

/** `event` is null for calls other than track, which have no switch. */
export function selectDestination(
  integrations: JsonObject | null,
  switches: Switches,
  event: string | null = null,
): Selection {
  const chosen = integrations === null ? SELECTED : readIntegrations(integrations);
  if (!switches.destinationEnabled) return { reason: 'destination_off', detail: null, notes: chosen.notes };
  if (!switches.sourceWebhooks) {
    return { reason: 'source_destination_off', detail: switches.sourceName, notes: chosen.notes };
  }
  if (switches.webhookCount === 0) return { reason: 'no_webhook', detail: null, notes: chosen.notes };
  // The size comes first, because looking up a text that was just parsed computes its hash.
  if (event !== null && switches.eventsOff.size > 0 && switches.eventsOff.has(event))
    return { reason: 'event_off', detail: null, notes: chosen.notes };
  return chosen;
}

function readIntegrations(integrations: JsonObject): Selection {
  if (Object.hasOwn(integrations, DESTINATION_NAME)) {
    return integrations[DESTINATION_NAME] === false
      ? { reason: 'integrations_off', detail: null, notes: [] }
      : SELECTED;
  }
  let allKey: string | null = Object.hasOwn(integrations, 'All') ? 'All' : null;
  let nearMiss: string | null = null;
  for (const key of Object.keys(integrations)) {
    if (allKey === null && isAll(key)) allKey = key;
    if (nearMiss === null && isNearMiss(key)) nearMiss = key;
  }
  const off = allKey !== null && integrations[allKey] === false;
  if (!off && nearMiss === null && (allKey === null || allKey === 'All')) return SELECTED;
  return {
    reason: off ? 'integrations_all_off' : null,
    detail: off && nearMiss !== null ? nearMissSentence(nearMiss) : null,
    notes: notesOf(allKey, nearMiss),
  };
}

function isAll(key: string): boolean {
  return key.length === 3 && key.toLowerCase() === 'all';
}

/** `webhooks`, `WebHooks`, `Webhook`, `web_hooks`: misspellings of `Webhooks`. */
function isNearMiss(key: string): boolean {
  if (key.length < 7 || key.length > 10) return false;
  const letters = key.toLowerCase().replace(/[ _-]/g, '');
  return letters === 'webhooks' || letters === 'webhook';
}

function nearMissSentence(key: string): string {
  return `The integrations key is "${key}"; the name is case sensitive: ${DESTINATION_NAME}.`;
}

function notesOf(allKey: string | null, nearMiss: string | null): Note[] {
  const notes: Note[] = [];
  if (allKey !== null && allKey !== 'All') {
    notes.push({ code: 'integrations_lower_case_all', field: `integrations.${allKey}`, detail: 'All' });
  }
  if (nearMiss !== null) {
    notes.push({ code: 'integrations_near_miss', field: `integrations.${nearMiss}`, detail: DESTINATION_NAME });
  }
  return notes;
}
