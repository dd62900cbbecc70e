/** Stored requests, as the conformance of ingest makes and reads them. */
import type { NewMessage, NewRequest, StoredMessage } from '../../src/core/model/records.ts';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export const NOW = 1_700_000_000_000;
export const refused = (id: string, over: Partial<NewMessage> = {}): NewMessage =>
  newMessage(id, { state: 'rejected', ...over });
export const held = (id: string, over: Partial<NewMessage> = {}): NewMessage =>
  refused(id, { reason: 'unknown_source', ...over });
export const fingerprint = Buffer.from('the same bytes');

export function keeping(store: () => StoreUnderTest) {
  async function keep(
    messages: readonly NewMessage[],
    over: Partial<NewRequest> = {},
    dedupe = true,
  ): Promise<readonly StoredMessage[]> {
    const request = newRequest({ receivedAt: NOW, ...over });
    const stored = store().ingest.storeRequest({ request, messages, dedupe, dueAt: NOW + 7 });
    store().writer.flush();
    return await stored;
  }
  const known = () => store().lists.window(1, 10_000);
  const repeats = () => known().map((message) => message.repeats);
  const requests = () => new Set(known().map(({ requestId }) => requestId));
  return { keep, known, repeats, requests };
}
