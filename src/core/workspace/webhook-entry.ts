/** An entry of `webhooks.entries` in a config file, checked against the rules of a webhook. */
import type { Config, ConfigHeader } from '../../contract/config.ts';
import { ContractError } from '../../contract/errors.ts';
import type { StaticHeader } from '../model/static-headers.ts';
import { ConfigValueError } from './settings-owner.ts';
import { checkWebhook } from './webhook-edit.ts';

type Entry = NonNullable<NonNullable<Config['webhooks']>['entries']>[number];

export interface CheckedEntry {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly StaticHeader[];
  readonly enabled: boolean;
}

/** Throws a {@link ConfigValueError}. `i` is the entry's place in the file. */
export function checkEntry(entry: Entry, i: number, ownPorts: readonly number[]): CheckedEntry {
  const { name, enabled } = entry;
  const headers = Object.entries(entry.headers).flatMap(([header, values]) =>
    [values].flat().map((value) => ({ name: header, ...givenValue(value) })),
  );
  try {
    return { name, enabled, ...checkWebhook({ url: entry.url, headers }, undefined, ownPorts) };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    // The file has an object of headers by name; an edit has a list.
    const field = (error.field ?? '').replace(/^headers\.(\d+)\.\w+$/, (_, n) => `headers.${headers[Number(n)]!.name}`);
    throw new ConfigValueError(`webhooks.entries[${i}]${field === '' ? '' : `.${field}`}`, error.message);
  }
}

/** Null for a variable without a value. That is an error when there is no stored header to keep. */
function givenValue(header: ConfigHeader): { value: string | null; shown?: boolean | undefined } {
  if (typeof header === 'string') return { value: header };
  return { value: 'value' in header ? header.value : null, shown: header.shown };
}
