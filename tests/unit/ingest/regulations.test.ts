/** `POST /v1/regulations`: who may ask, what is asked for, and what is wrong with a body. In memory. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorAnswer, jsonAnswer, notWritable as notWritableAnswer } from '../../../src/core/ingest/answers.ts';
import {
  orderOf,
  type Regulation,
  type RegulationRequest,
  regulationAnswer,
} from '../../../src/core/ingest/regulations.ts';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import { basic, KEY, makeWorld, notWritable, sourceWith } from '../../helpers/ingest-parts.ts';

const GOOD = { regulationType: 'DELETE_ONLY', subjectType: 'USER_ID', subjectIds: ['a', ' b'] };
const bytes = (body: unknown): Buffer => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

let regulated: Regulation[];
let failure: Error | null;
beforeEach(() => {
  regulated = [];
  failure = null;
});
const regulate = async (regulation: Regulation): Promise<string> => {
  if (failure !== null) throw failure;
  regulated.push(regulation);
  return '7';
};

const SOURCES = [sourceWith(), sourceWith({ writeKey: 'off', enabled: false })];
function ask(body: unknown, over: Partial<RegulationRequest> = {}) {
  const request = { body: bytes(body), encoding: null, authorization: `Bearer ${KEY}`, tooLong: false, ...over };
  return regulationAnswer(request, (key) => SOURCES.find(({ writeKey }) => writeKey === key), regulate);
}
const DONE = jsonAnswer({ data: { regulateId: '7' } });

describe('a request', () => {
  test.each([
    ['DELETE_ONLY', { erase: true, suppress: 'no' }],
    ['SUPPRESS_WITH_DELETE', { erase: true, suppress: 'yes' }],
    ['SUPPRESS_ONLY', { erase: false, suppress: 'yes' }],
    ['UNSUPPRESS', { erase: false, suppress: 'lift' }],
  ] as const)('for %s is carried out and answered with its id', async (type, order) => {
    expect(await ask({ ...GOOD, regulationType: type })).toEqual(DONE);
    expect(regulated).toEqual([{ type, userIds: ['a', ' b'] }]);
    expect(orderOf(type)).toEqual(order);
  });

  test('may be encoded, and name 5,000 users', async () => {
    const subjectIds = Array.from({ length: 5_000 }, (_, i) => `u${i}`);
    expect(await ask('', { body: gzipSync(bytes({ ...GOOD, subjectIds })), encoding: 'gzip' })).toEqual(DONE);
    expect(regulated[0]!.userIds).toEqual(subjectIds);
  });

  test.each([`bearer   ${KEY}  `, basic(KEY)])('comes from a source that is on: %s', async (authorization) => {
    expect(await ask(GOOD, { authorization })).toEqual(DONE);
  });

  test.each([
    null,
    'Bearer',
    `Bearer${KEY}`,
    'Bearer wrong',
    'Bearer off',
    basic('off'),
    `x Bearer ${KEY}`,
    `Bearer ${KEY} x`,
  ])('comes from nobody else: %s', async (authorization) => {
    const words = 'Send the write key of a source that is on as Bearer token or Basic user.';
    expect(await ask(GOOD, { authorization })).toEqual(errorAnswer(401, 'unauthorized', words));
    expect(regulated).toEqual([]);
  });
});

describe('what is wrong', () => {
  const UNREAD = 'The body cannot be read: at most 500 KB, gzip or no encoding.';
  const TYPE = 'regulationType is one of DELETE_ONLY, SUPPRESS_WITH_DELETE, SUPPRESS_ONLY, UNSUPPRESS.';
  const SUBJECT = 'subjectType is USER_ID: Hookbench deletes by user id only.';
  const LIST = 'subjectIds is a list of 1 to 5,000 user ids.';
  const TEXT = 'Every one of subjectIds is text.';
  test.each<[words: string, body: unknown, over?: Partial<RegulationRequest>]>([
    [UNREAD, GOOD, { tooLong: true }],
    [UNREAD, 'no gzip', { encoding: 'gzip' }],
    ['The body ends too early.', '{'],
    ['The body is not a JSON object.', []],
    [TYPE, { ...GOOD, regulationType: 'DELETE_INTERNAL' }],
    [TYPE, { ...GOOD, regulationType: 'toString' }],
    [TYPE, { ...GOOD, regulationType: ['DELETE_ONLY'] }],
    [SUBJECT, { ...GOOD, subjectType: 'OBJECT_ID' }],
    [LIST, { ...GOOD, subjectIds: 'a' }],
    [LIST, { ...GOOD, subjectIds: [] }],
    [LIST, { ...GOOD, subjectIds: new Array(5_001).fill('a') }],
    [TEXT, { ...GOOD, subjectIds: ['a', 7] }],
    [TEXT, { ...GOOD, subjectIds: ['a', ''] }],
  ])('is said: %s', async (words, body, over) => {
    expect(await ask(body, over)).toEqual(errorAnswer(422, 'invalid_regulation', words));
    expect(regulated).toEqual([]);
  });

  test('with the store is 503, so that the caller tries again; a bug is thrown', async () => {
    failure = notWritable();
    expect(await ask(GOOD)).toEqual(notWritableAnswer());
    failure = new TypeError('bug');
    await expect(ask(GOOD)).rejects.toBe(failure);
  });
});

describe('at its path', () => {
  const OVERFLOW = { bytes: 600_000, first: new Uint8Array() };
  const asked = (over: Partial<IngestRequest> = {}, parts = {}) => {
    const world = Object.assign(makeWorld(), parts);
    const headers = [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${KEY}`],
    ] as const;
    const request = { method: 'POST', target: '/v1/regulations', headers, body: bytes(GOOD), remote: null, ...over };
    return world.ingest.handle(request).then(({ status, body }) => ({ status, body, answered: world.answered }));
  };
  const counted = (status: number, code: string | null) => [{ status, code, calls: 0, rejected: 0 }];

  test('it is carried out for a source of the workspace, and counted', async () => {
    expect(await asked({}, { regulate })).toEqual({ status: 200, body: DONE.body, answered: counted(200, null) });
    expect(regulated).toEqual([{ type: 'DELETE_ONLY', userIds: ['a', ' b'] }]);
  });

  test('a body that was not read to its end is refused, and counted', async () => {
    const { status, answered } = await asked({ overflow: OVERFLOW }, { regulate });
    expect([status, answered]).toEqual([422, counted(422, 'invalid_regulation')]);
  });

  test('there is nothing where nobody carries it out', async () => {
    const { status, body } = await asked();
    expect({ status, body }).toMatchObject({
      status: 404,
      body: errorAnswer(404, 'not_found', 'There are no deletion requests here.').body,
    });
  });

  test('it is asked by POST alone', async () => {
    expect(await asked({ method: 'GET' }, { regulate })).toMatchObject({ status: 405 });
  });
});
