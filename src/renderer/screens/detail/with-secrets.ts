/** Fills in the hidden values of a request's headers, for a copy that the user requested with them. */
import { ContractError } from '../../../contract/errors.ts';
import type { HeaderView, WebhookView } from '../../../contract/values.ts';

/** One value of a webhook's static headers, as the engine gives it. */
export type AskValue = (name: string, at: number) => Promise<string>;

export interface Filled {
  readonly headers: readonly HeaderView[];
  /** Hidden values that the webhook no longer has. */
  readonly missing: number;
}

/**
 * Attempts keep only lengths, so the values come from the current webhook. A value with another length is a different
 * value, and stays hidden.
 */
export async function withSecrets(
  sent: readonly HeaderView[],
  webhook: WebhookView | undefined,
  ask: AskValue,
): Promise<Filled> {
  const headers = await Promise.all(sent.map((header, i) => filled(header, placeOf(sent, i, webhook), ask)));
  return { headers, missing: headers.filter((header) => 'hiddenLength' in header).length };
}

async function filled(header: HeaderView, at: number, ask: AskValue): Promise<HeaderView> {
  if (!('hiddenLength' in header) || at === -1) return header;
  try {
    const value = await ask(header.name, at);
    return value.length === header.hiddenLength ? { name: header.name, value } : header;
  } catch (error) {
    if (error instanceof ContractError && ['webhook_not_found', 'header_not_found'].includes(error.code)) return header;
    throw error;
  }
}

/** Names may repeat: the second sent header of a name is the second stored one. -1 when there is none. */
function placeOf(sent: readonly HeaderView[], i: number, webhook: WebhookView | undefined): number {
  const name = sent[i]!.name.toLowerCase();
  const order = sent.slice(0, i).filter((other) => other.name.toLowerCase() === name).length;
  const places = (webhook?.headers ?? []).flatMap((other, at) => (other.name.toLowerCase() === name ? [at] : []));
  return places[order] ?? -1;
}
