/** What our client sends beside what the real version 2 client was seen to send for the same calls. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Alias,
  type CallError,
  Client,
  type Group,
  type Identify,
  type Page,
  type Track,
} from '../../src/client/index.ts';
import { LIBRARY, USER_AGENT } from '../../src/client/version.ts';
import { type ReceivedRequest, startReceiver } from '../helpers/receivers.ts';

type Json = Record<string, unknown>;
interface Envelope {
  readonly context: { readonly library: Json };
  readonly batch: readonly Json[] | null;
  readonly messageId: string;
  readonly sentAt: string;
}
interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Envelope;
}
interface Scenario {
  readonly scenario: string;
  readonly requests: readonly CapturedRequest[];
}

const file = new URL('../fixtures/wire/analytics-go-v2.json', import.meta.url);
const { captures } = JSON.parse(readFileSync(file, 'utf8')) as { captures: readonly Scenario[] };
const WRITE_KEY = 'WK_go2';
const SUCCESS = { headers: { 'Content-Type': 'application/json' }, body: '{"success":true}' };

/** Makes the call that led to a captured message. */
function repeat(client: Client, message: Json): CallError | null {
  const { type, messageId: _id, timestamp: _time, ...fields } = message;
  switch (type) {
    case 'identify':
      return client.identify(fields as unknown as Identify);
    case 'track':
      return client.track(fields as unknown as Track);
    case 'page': {
      // Traits in the program, properties on the wire.
      const { properties, ...page } = fields;
      return client.page({ ...page, traits: properties } as unknown as Page);
    }
    case 'group':
      return client.group(fields as unknown as Group);
    case 'alias':
      return client.alias(fields as unknown as Alias);
    default:
      throw new Error(`no call makes ${String(type)}`);
  }
}

async function requestsFor({ requests }: Scenario): Promise<readonly ReceivedRequest[]> {
  const receiver = await startReceiver(SUCCESS);
  onTestFinished(() => receiver.close());
  const client = new Client(WRITE_KEY, { endpoint: `http://127.0.0.1:${receiver.port}` });
  for (const message of requests.flatMap(({ body }) => body.batch ?? [])) expect(repeat(client, message)).toBeNull();
  expect((await client.close()).lost).toBe(0);
  return receiver.requests;
}

const bodyOf = (request: ReceivedRequest): Envelope => JSON.parse(request.body.toString('utf8')) as Envelope;

/** Every place where two JSON values differ; `path` without array indexes. */
function differences(theirs: unknown, ours: unknown, path = ''): string[] {
  if (Object.is(theirs, ours)) return [];
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    return theirs.flatMap((item, i) => differences(item, ours[i], `${path}[]`));
  }
  if (!isMap(theirs) || !isMap(ours)) return [path];
  const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  return [...keys].flatMap((key) => differences(theirs[key], ours[key], path === '' ? key : `${path}.${key}`));
}

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Header names in lower case that a request has, with values. */
const headersOf = (raw: readonly string[]): Map<string, string> => {
  const headers = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) headers.set(raw[at]!.toLowerCase(), raw[at + 1]!);
  return headers;
};

const calls = captures.find(({ scenario }) => scenario === 'five calls then Close')!;
const empty = captures.find(({ scenario }) => scenario.includes('empty queue'))!;

test('every captured scenario is compared', () => {
  expect(captures).toEqual([calls, empty]);
  expect(calls.requests.flatMap(({ body }) => body.batch ?? []).map(({ type }) => type)).toEqual([
    'identify',
    'track',
    'page',
    'group',
    'alias',
  ]);
});

test('the same calls make the same requests: method, path, authorization, content type', async () => {
  const ours = await requestsFor(calls);
  expect(ours).toHaveLength(calls.requests.length);
  for (const [i, { method, path, headers }] of calls.requests.entries()) {
    const theirs = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
    const own = headersOf(ours[i]!.rawHeaders);
    expect([method, ours[i]!.path]).toEqual(['POST', path]);
    for (const name of ['authorization', 'content-type']) expect(own.get(name)).toBe(theirs.get(name));
    expect(own.get('content-length')).toBe(String(ours[i]!.body.length));
    expect(own.get('user-agent')).toBe(USER_AGENT);
    // What differs: added by the platform's fetch, and cannot be left out.
    expect([...own.keys()].filter((name) => !theirs.has(name)).sort()).toEqual([
      'accept',
      'accept-language',
      'connection',
      'sec-fetch-mode',
    ]);
    expect([...theirs.keys()].filter((name) => !own.has(name))).toEqual([]);
    expect(
      [...own].filter(([name, value]) => theirs.has(name) && theirs.get(name) !== value).map(([name]) => name),
    ).toEqual(expect.arrayContaining(['host', 'user-agent']));
  }
});

test('the bodies are the same but for the library, the ids and the times', async () => {
  const ours = (await requestsFor(calls)).map(bodyOf);
  for (const [i, { body }] of calls.requests.entries()) {
    expect([...new Set(differences(body, ours[i]))].sort()).toEqual([
      'batch[].messageId',
      'batch[].timestamp',
      'context.library.name',
      'context.library.version',
      'messageId',
      'sentAt',
    ]);
    expect(ours[i]!.context.library).toEqual(LIBRARY);
  }
});

test('envelope and messages have their keys in the same order', async () => {
  const ours = (await requestsFor(calls)).map(bodyOf);
  for (const [i, { body }] of calls.requests.entries()) {
    expect(Object.keys(ours[i]!)).toEqual(Object.keys(body));
    expect(ours[i]!.batch!.map((message) => Object.keys(message))).toEqual(
      body.batch!.map((message) => Object.keys(message)),
    );
  }
});

test('ids are UUIDs as theirs are; times are UTC with milliseconds where theirs are local with seconds', async () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const [ours] = (await requestsFor(calls)).map(bodyOf);
  const { body: theirs } = calls.requests[0]!;
  for (const { messageId, batch } of [theirs, ours!]) {
    const ids = [messageId, ...batch!.map((message) => String(message.messageId))];
    for (const id of ids) expect(id).toMatch(uuid);
    expect(new Set(ids).size).toBe(ids.length);
  }
  for (const time of [theirs.sentAt, ...theirs.batch!.map(({ timestamp }) => timestamp)]) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/);
  }
  for (const time of [ours!.sentAt, ...ours!.batch!.map(({ timestamp }) => timestamp)]) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});

test('closing with nothing queued makes no request, where version 2.0.0 sends an empty batch', async () => {
  expect(empty.requests.map(({ body }) => body.batch)).toEqual([null]);
  expect(await requestsFor(empty)).toEqual([]);
});
