/** The commands of this screen. Every function rejects with a ContractError. */
import type { CommandInput } from '../../../contract/commands.ts';
import type { DestinationView, HeaderView, WebhookView } from '../../../contract/values.ts';
import { call } from '../../platform/connect.ts';
import { inOrder, newest } from '../../stores/edits.ts';
import { applyAnswer, applyWebhook, useRecords } from '../../stores/records.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure } from '../../stores/toasts.ts';

type HeaderInput = CommandInput<'webhooks.save'>['headers'][number];

/** An edit that keeps the stored header at place `at`. Null keeps its value, which this window may never have seen. */
const headerInput = ({ name }: HeaderView, at: number): HeaderInput => ({ name, value: null, at });

/** Saves a webhook with some fields changed. */
export const saveWebhook = (
  hook: WebhookView,
  change: Partial<Pick<CommandInput<'webhooks.save'>, 'name' | 'url' | 'headers' | 'enabled'>>,
): Promise<WebhookView> =>
  inOrder(async () => {
    const { id, name, url, enabled, headers } = newest(useRecords.getState().webhooks, hook);
    const input = { id, name, url, enabled, headers: headers.map(headerInput), ...change };
    const saved = await tracked(call('webhooks.save', input));
    applyWebhook(saved);
    return saved;
  });

/** Adds a webhook. Without a name it is named after its host. */
export async function addWebhook(name: string, url: string): Promise<WebhookView> {
  const given = name.trim() === '' ? hostOf(url) : name;
  const saved = await tracked(call('webhooks.save', { name: given, url, headers: [], enabled: true }));
  applyWebhook(saved);
  return saved;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host.slice(0, 100) : '');

export async function saveDestination(change: CommandInput<'destination.save'>): Promise<void> {
  try {
    applyAnswer({ destination: await tracked(call('destination.save', change)) });
  } catch (error) {
    showFailure('save the destination', error);
  }
}

export async function setSecret(secret: string | null): Promise<DestinationView> {
  const destination = await tracked(call('destination.setSecret', { secret }));
  applyAnswer({ destination });
  return destination;
}

export async function makeSecret(): Promise<string> {
  const { secret, destination } = await tracked(call('destination.newSecret'));
  applyAnswer({ destination });
  return secret;
}
