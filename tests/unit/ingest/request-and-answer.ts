/** Requests as the listener hands them over, and their answers as tests compare them. */
import { expect } from 'vitest';
import type { IngestRequest, IngestResponse } from '../../../src/core/ingest/request.ts';
import { basic, KEY } from '../../helpers/ingest-parts.ts';

export const HOST = ['Host', 'localhost:8765'] as const;
export const AUTHORIZED = [HOST, ['Authorization', basic(KEY)]] as const;
export const track = (over: object = {}) => ({ type: 'track', event: 'E', userId: 'u', messageId: 'm', ...over });
export const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

export const requestOf = (target: string, body: unknown, over: Partial<IngestRequest> = {}): IngestRequest => ({
  method: 'POST',
  target,
  headers: AUTHORIZED,
  body: bytes(body),
  remote: '::ffff:127.0.0.1',
  ...over,
});

/** Status, body as JSON, and the headers that are not those of every answer. */
export function seen({ status, body, headers }: IngestResponse) {
  const common = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Vary'];
  expect(headers.map(([name]) => name)).toEqual(expect.arrayContaining(common));
  const own = Object.fromEntries(headers.filter(([name]) => !common.includes(name)));
  return { status, json: JSON.parse(Buffer.from(body as string).toString()) as unknown, headers: own };
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const error = (status: number, code: string, message: string, headers: object = {}) => ({
  status,
  json: { success: false, code, message, error: message },
  headers: { ...JSON_TYPE, ...headers },
});
export const success = { status: 200, json: { success: true }, headers: JSON_TYPE };
