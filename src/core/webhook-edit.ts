/** A webhook as a person or a config file gives it, and what it must be to be saved. */
import { ContractError } from '../contract/errors.ts';
import type { Header } from './model/header.ts';
import { readStaticHeaders } from './model/static-headers.ts';
import { readWebhookUrl } from './model/webhook-url.ts';
import type { StoredWebhook } from './store/workspace.ts';

export interface WebhookEdit {
  readonly id?: number;
  readonly name: string;
  readonly url: string;
  /** A null value keeps the stored value of the header with this name. */
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string | null }>;
  readonly enabled: boolean;
}

/** URL and headers in the form that is stored. Errors `invalid_url`, `loop_url`, `invalid_header`, each with its field. */
export function checkWebhook(
  edit: Pick<WebhookEdit, 'url' | 'headers'>,
  before: StoredWebhook | undefined,
  ownPorts: readonly number[],
): { url: string; headers: readonly Header[] } {
  const url = readWebhookUrl(edit.url, ownPorts);
  if (!url.ok)
    throw new ContractError(url.problem.code === 'loop' ? 'loop_url' : 'invalid_url', url.problem.message, 'url');
  const kept = edit.headers.map(({ name, value }, i) => ({ name, value: value ?? storedValue(before, name, i) }));
  const headers = readStaticHeaders(kept);
  if (!headers.ok) throw new ContractError('invalid_header', headers.problem.message, headers.problem.field);
  return { url: url.url, headers: headers.headers };
}

function storedValue(before: StoredWebhook | undefined, name: string, i: number): string {
  const same = before?.headers.find(([stored]) => stored.toLowerCase() === name.trim().toLowerCase());
  if (same === undefined)
    throw new ContractError('invalid_header', `Enter a value for ${name || 'this header'}.`, `headers.${i}.value`);
  return same[1];
}
