/** Where the write key is, and what stands in its place. */
import { basicText, type HeaderLine, json, KEYS, queued, rejected, request, taken, track } from '../build.ts';
import type { CorpusCase, ExpectedMessage, Topic } from '../case.ts';

const WRONG = 'wk_wrong';

/** Null: no header at all. */
function single(name: string, authorization: string | null, over: object, message: ExpectedMessage): CorpusCase {
  const headers: HeaderLine[] = authorization === null ? [] : [['Authorization', authorization]];
  return taken(name, request('/v1/track', json(track(over)), { key: null, headers }), [message]);
}

function batch(
  name: string,
  authorization: string | null,
  envelope: object,
  calls: readonly object[],
  message: ExpectedMessage,
): CorpusCase {
  const headers: HeaderLine[] = authorization === null ? [] : [['Authorization', authorization]];
  const body = json({ batch: calls.map((over) => track(over)), ...envelope });
  return taken(
    name,
    request('/v1/batch', body, { key: null, headers }),
    calls.map(() => message),
  );
}

const unknown = (key: string): ExpectedMessage => rejected('unknown_source', { detail: key });
const NO_KEY = rejected('unknown_source');
const { main } = KEYS;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const GOOD: readonly (readonly [name: string, header: string])[] = [
  ['with a colon', basicText(`${main}:`)],
  ['without a colon', basicText(main)],
  ['with a password', basicText(`${main}:secret`)],
  ['with two colons', basicText(`${main}:a:b`)],
  ['with spaces around the key', basicText(`  ${main}  :`)],
  ['basic in lower case', `basic ${base64(`${main}:`)}`],
  ['BASIC in upper case', `BASIC ${base64(`${main}:`)}`],
  ['two spaces behind Basic', `Basic  ${base64(`${main}:`)}`],
  ['without padding', `Basic ${base64(`${main}:`).replace(/=+$/, '')}`],
];

/** Say nothing of the key. */
const EMPTY: readonly (readonly [name: string, header: string])[] = [
  ['no user', basicText(':')],
  ['no user, a password', basicText(':secret')],
  ['a user of spaces', basicText('   :')],
  ['nothing', ''],
  ['Basic alone', 'Basic'],
  ['not base64', 'Basic !!!'],
  ['a tab behind Basic', `Basic\t${base64(`${main}:`)}`],
  ['two values', `Basic ${base64(`${main}:`)} x`],
  ['the key without a scheme', main],
  ['Bearer', 'Bearer abc.def.ghi'],
  ['Bearer with the key', `Bearer ${main}`],
  ['Digest', `Digest username="${main}"`],
  ['Negotiate', 'Negotiate YII='],
  ['in a list', `Bearer x, Basic ${base64(`${main}:`)}`],
];

const basic: readonly CorpusCase[] = [
  ...GOOD.map(([name, header]) => single(`Basic ${name}`, header, {}, queued())),
  ...EMPTY.flatMap(([name, header]) => [
    single(`${name}, and none in the body`, header, {}, NO_KEY),
    single(`${name}, and one in the body`, header, { writeKey: main }, queued()),
  ]),
  single('no header, and none in the body', null, {}, NO_KEY),
  single('no header, and one in the body', null, { writeKey: main }, queued()),
  single('a wrong key', basicText(`${WRONG}:`), {}, unknown(WRONG)),
  single('a wrong key wins over the body', basicText(`${WRONG}:`), { writeKey: main }, unknown(WRONG)),
  single('a right key wins over the body', basicText(`${main}:`), { writeKey: WRONG }, queued()),
  single('the key in upper case', basicText(`${main.toUpperCase()}:`), {}, unknown(main.toUpperCase())),
  single('half a key', basicText(`${main.slice(0, 4)}:`), {}, unknown(main.slice(0, 4))),
  ...['__proto__', 'constructor', 'toString', 'null', 'undefined', '0'].map((key) =>
    single(`the key ${key}`, basicText(key), {}, unknown(key)),
  ),
  single('a key of 201 characters', basicText('k'.repeat(201)), {}, unknown('k'.repeat(200))),
  single('a key of 8,000 characters', basicText('k'.repeat(8_000)), {}, unknown('k'.repeat(200))),
  single('a key that is not ASCII', basicText('schl\u00fcssel:'), {}, unknown('schl\u00fcssel')),
  single(
    'a key that is not UTF-8',
    `Basic ${Buffer.from([0xff, 0xfe, 0x3a]).toString('base64')}`,
    {},
    unknown('\ufffd\ufffd'),
  ),
  single('a key with a NUL', basicText('a\u0000b:'), {}, unknown('a')),
  taken(
    'two headers: the first counts',
    request('/v1/track', json(track()), { headers: [['Authorization', basicText(`${WRONG}:`)]] }),
    [queued()],
  ),
  taken(
    'the header in upper case',
    request('/v1/track', json(track()), { key: null, headers: [['AUTHORIZATION', basicText(`${main}:`)]] }),
    [queued()],
  ),
  taken('a key in the query is not looked at', request(`/v1/track?writeKey=${main}`, json(track()), { key: null }), [
    NO_KEY,
  ]),
  taken(
    'a proxy\u2019s header is not looked at',
    request('/v1/track', json(track()), { key: null, headers: [['Proxy-Authorization', basicText(`${main}:`)]] }),
    [NO_KEY],
  ),
];

const bodies: readonly CorpusCase[] = [
  ...[null, '', 0, 7, true, {}, [], [main]].map((writeKey) =>
    single(`writeKey ${json(writeKey)}`, null, { writeKey }, NO_KEY),
  ),
  single('writeKey is a wrong one', null, { writeKey: WRONG }, unknown(WRONG)),
  single('writekey in lower case', null, { writekey: main }, NO_KEY),
  single('write_key', null, { write_key: main }, NO_KEY),
  single('writeKey with spaces', null, { writeKey: ` ${main} ` }, unknown(` ${main} `)),
  batch('writeKey of the batch', null, { writeKey: main }, [{}, {}], queued()),
  batch('writeKey of the first call', null, {}, [{ writeKey: main }, {}], queued()),
  batch('writeKey of the second call alone', null, {}, [{}, { writeKey: main }], NO_KEY),
  batch('the first call\u2019s counts for all', null, {}, [{ writeKey: main }, { writeKey: WRONG }], queued()),
  batch('the batch\u2019s wins over the calls\u2019', null, { writeKey: main }, [{ writeKey: WRONG }], queued()),
  batch('an empty one of the batch', null, { writeKey: '' }, [{ writeKey: main }], queued()),
  batch('a header wins over both', basicText(`${WRONG}:`), { writeKey: main }, [{ writeKey: main }], unknown(WRONG)),
  batch('a Bearer token beside the batch\u2019s', 'Bearer x', { writeKey: main }, [{}], queued()),
  taken(
    'the key of an unknown source, and calls that fail',
    request('/v1/batch', json({ batch: [track({ event: 7 }), 7] }), { key: WRONG }),
    [unknown(WRONG), rejected('not_an_object')],
  ),
];

export const keys: readonly Topic[] = [{ topic: 'write keys', cases: [...basic, ...bodies] }];
