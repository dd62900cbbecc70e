import type { MessageRow } from '../../../contract/values.ts';

/** Who a message is about: the user id, or `anon 5e0c91`, or empty. */
export function userText(row: Pick<MessageRow, 'userId' | 'anonymousId'>): string {
  if (row.userId !== null && row.userId !== '') return row.userId;
  if (row.anonymousId === null || row.anonymousId === '') return '';
  return `anon ${row.anonymousId.slice(0, 6)}`;
}
