/** A webhook as the user or a config file gives it, and the rules that it must meet to be saved. */
import { ContractError } from '../../contract/errors.ts';
import { readStaticHeaders, type StaticHeader } from '../model/static-headers.ts';
import { readWebhookUrl } from '../model/webhook-url.ts';
import type { StoredWebhook } from '../store/ports/workspace.ts';

/**
 * Null keeps a stored value: that of the header with this name at place `at` of the stored list, or else that of the
 * n-th header with this name, where n is this header's own place among those of its name.
 */
export interface HeaderEdit {
  readonly name: string;
  readonly value: string | null;
  readonly at?: number | undefined;
  /**
   * Whether the value is shown in clear. When left out, a stored header keeps its choice and a new value is a secret.
   */
  readonly shown?: boolean | undefined;
}

export interface WebhookEdit {
  readonly id?: number;
  readonly name: string;
  readonly url: string;
  readonly headers: readonly HeaderEdit[];
  readonly enabled: boolean;
}

/** URL and headers as they are stored. Errors `invalid_url`, `loop_url`, `invalid_header`, each with its field. */
export function checkWebhook(
  edit: Pick<WebhookEdit, 'url' | 'headers'>,
  before: StoredWebhook | undefined,
  ownPorts: readonly number[],
): { url: string; headers: readonly StaticHeader[] } {
  const url = readWebhookUrl(edit.url, ownPorts);
  if (!url.ok)
    throw new ContractError(url.problem.code === 'loop' ? 'loop_url' : 'invalid_url', url.problem.message, 'url');
  const headers = readStaticHeaders(edit.headers.map((_, i) => filledIn(edit.headers, i, before)));
  if (!headers.ok) throw new ContractError('invalid_header', headers.problem.message, headers.problem.field);
  return { url: url.url, headers: headers.headers };
}

function filledIn(all: readonly HeaderEdit[], i: number, before: StoredWebhook | undefined) {
  const { name, value, shown } = all[i]!;
  if (value !== null) return { name, value, shown };
  const stored = storedFor(all, i, before);
  if (stored === undefined)
    throw new ContractError('invalid_header', `Enter a value for ${name || 'this header'}.`, `headers.${i}.value`);
  return { name, value: stored[1], shown: shown ?? stored[2] === 'shown' };
}

const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Names may repeat, so a name alone does not identify a stored header. */
function storedFor(all: readonly HeaderEdit[], i: number, before: StoredWebhook | undefined): StaticHeader | undefined {
  const { name, at } = all[i]!;
  const headers = before?.headers ?? [];
  const there = at === undefined ? undefined : headers[at];
  if (there !== undefined && sameName(there[0], name)) return there;
  const order = all.slice(0, i).filter((other) => sameName(other.name, name)).length;
  return headers.filter(([stored]) => sameName(stored, name))[order];
}

/** Whether an edit would show a stored value that is hidden now. */
export const wouldShow = ({ headers }: Pick<WebhookEdit, 'headers'>, before: StoredWebhook | undefined): boolean =>
  headers.some(
    ({ value, shown }, i) => value === null && shown === true && storedFor(headers, i, before)?.[2] !== 'shown',
  );

/** The value of the static header `name` at place `at`. Error `header_not_found` when the list has changed since. */
export function headerValue({ headers }: StoredWebhook, name: string, at: number): string {
  const header = headers[at];
  if (header === undefined || !sameName(header[0], name)) throw new ContractError('header_not_found');
  return header[1];
}
