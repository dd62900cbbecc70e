/** A request as its table keeps it. */
import type { RequestRecord } from '../model/stored.ts';
import type { Damage } from './damage.ts';

/** A row with the JSON of its headers as text. */
export type RequestRow = Omit<RequestRecord, 'headers'> & { readonly headers: string };
export type NewRequestRow = Omit<RequestRow, 'id'>;

/** The columns of a new request. */
export const NEW_REQUEST_NAMES = [
  'receivedAt',
  'method',
  'path',
  'headers',
  'body',
  'encoding',
  'decodedBytes',
  'writeKey',
  'sourceId',
  'status',
  'code',
] as const satisfies ReadonlyArray<keyof NewRequestRow>;
export const REQUEST_NAMES = ['id', ...NEW_REQUEST_NAMES] as const satisfies ReadonlyArray<keyof RequestRow>;

export const requestRecord = (row: RequestRow, damage: Damage): RequestRecord => ({
  ...row,
  headers: damage.parsed(row.headers, [], 'the headers of a request'),
});
