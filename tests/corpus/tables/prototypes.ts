/** Keys that have a meaning in JavaScript must be data like any other. */
import { json, newMessageId, queued, request, shown, TIMESTAMP, taken, track, withProperties } from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'toJSON',
  '__defineGetter__',
  'then',
  'length',
  'isPrototypeOf',
  'Symbol(Symbol.iterator)',
];

const inProperties: readonly CorpusCase[] = [
  ...NAMES.flatMap((name) =>
    [`{"${name}":{"polluted":true}}`, `{"${name}":1}`, `{"a":{"${name}":null,"b":2}}`].map((text) =>
      taken(`properties ${shown(text)}`, request('/v1/track', withProperties(text)), [
        queued({ wire: `"properties":${text}` }),
      ]),
    ),
  ),
  ...[
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"__proto__":{"__proto__":{"polluted":true}}}',
    '{"a":[{"__proto__":{"polluted":true}}]}',
    '{"__proto__":[]}',
    '{"__proto__":null}',
  ].map((text) =>
    taken(`properties ${text}`, request('/v1/track', withProperties(text)), [queued({ wire: `"properties":${text}` })]),
  ),
  taken('__proto__ twice', request('/v1/track', withProperties('{"__proto__":1,"__proto__":2}')), [
    queued({ notes: ['duplicate_key'], wire: '"properties":{"__proto__":2}' }),
  ]),
  taken('__proto__ in escapes', request('/v1/track', withProperties('{"\\u005f_proto__":{"polluted":true}}')), [
    queued({ wire: '"properties":{"__proto__":{"polluted":true}}' }),
  ]),
];

const callText = (fields: string): string =>
  `{"type":"track","messageId":"${newMessageId()}","userId":"u","event":"E","timestamp":"${TIMESTAMP}",${fields}}`;

const inCalls: readonly CorpusCase[] = NAMES.flatMap((name) => [
  taken(`a call with ${name}`, request('/v1/track', callText(`"${name}":{"polluted":true,"userId":"x"}`)), [
    queued({ userId: 'u' }),
  ]),
  taken(
    `a context with ${name}`,
    request(
      '/v1/batch',
      `{"context":{"${name}":{"a":1},"x":1},"batch":[${callText(`"context":{"${name}":{"b":2}}`)}]}`,
    ),
    [queued({ wire: `"${name}":{"b":2}` })],
  ),
  taken(
    `a batch with ${name}`,
    request('/v1/batch', `{"${name}":{"batch":[],"writeKey":"x"},"batch":[${callText('"a":1')}]}`),
    [queued()],
  ),
]);

const hidden: readonly CorpusCase[] = [
  taken(
    'ids below __proto__ are no ids',
    request('/v1/track', '{"messageId":"corpus-proto-1","__proto__":{"userId":"u","event":"E"}}'),
    [{ state: 'rejected', reason: 'no_user_anon_id' }],
  ),
  taken(
    'a batch below __proto__ is none',
    request('/v1/batch', `{"__proto__":{"batch":[${json(track())}]}}`),
    [{ state: 'rejected', reason: 'empty_batch' }],
    {
      strict: { status: 200, code: null },
    },
  ),
  taken(
    'a type below __proto__ is none',
    request(
      '/v1/batch',
      '{"batch":[{"messageId":"corpus-proto-2","userId":"u","event":"E","__proto__":{"type":"track"}}]}',
    ),
    [{ state: 'rejected', reason: 'unknown_type' }],
  ),
  taken(
    'a key below __proto__ is none',
    request(
      '/v1/track',
      '{"messageId":"corpus-proto-3","userId":"u","event":"E","__proto__":{"writeKey":"wk_corpus"}}',
      { key: null },
    ),
    [{ state: 'rejected', reason: 'unknown_source' }],
  ),
];

export const prototypes: readonly Topic[] = [
  { topic: 'keys with a meaning', cases: [...inProperties, ...inCalls, ...hidden] },
];
