/** Stores requests as ingest does, and counts the rows of a table. */
import type { NewMessage, NewRequest, StoredMessage } from '../../src/core/model/records.ts';
import { type Core, newRequest } from './core-fixture.ts';

export const NOW = 1_700_000_000_000;

export function storing(core: () => Core) {
  const store = (
    messages: readonly NewMessage[],
    over: Partial<NewRequest> = {},
    dedupe = true,
  ): Promise<readonly StoredMessage[]> =>
    core().done(
      core().requests.storeRequest({ request: newRequest({ receivedAt: NOW, ...over }), messages, dedupe, dueAt: NOW }),
    );
  const count = (table: string): number => core().db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return { store, count };
}
