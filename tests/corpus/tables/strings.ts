/** Strings and keys that are JSON: escapes, control characters, every corner of Unicode, keys that come twice. */
import { queued, request, shown, taken, trackText } from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

type Row = readonly [written: string, sent: string];

const ESCAPES: readonly Row[] = [
  ['\\u0041', 'A'],
  ['\\u00e9', '\u00e9'],
  ['\\u00E9', '\u00e9'],
  ['\\/', '/'],
  ['\\"', '\\"'],
  ['\\\\', '\\\\'],
  ['\\\\u0041', '\\\\u0041'],
  ['\\u005c', '\\\\'],
  ['\\u0022', '\\"'],
  ['\\u002f', '/'],
  ['\\u007f', '\u007f'],
  ['\\u0080', '\u0080'],
  ['\\u2028', '\u2028'],
  ['\\u2029', '\u2029'],
  ['\\ufeff', '\ufeff'],
  ['\\ufffe', '\ufffe'],
  ['\\uffff', '\uffff'],
  ['\\u003c\\u003e\\u0026', '<>&'],
  ['\\ud83d\\ude00', '\u{1f600}'],
  ['\\uD83D\\uDE00', '\u{1f600}'],
  ['\\udbff\\udfff', '\u{10ffff}'],
  ['\\ud800', '\\ud800'],
  ['\\uDFFF', '\\udfff'],
  ['\\ud800\\ud800', '\\ud800\\ud800'],
  ['\\ude00\\ud83d', '\\ude00\\ud83d'],
  ['\\ud83dx\\ude00', '\\ud83dx\\ude00'],
  ['\\ud83d\\u0041', '\\ud83dA'],
  ['a\\ud800', 'a\\ud800'],
];

const RAW: readonly Row[] = (
  [
    '',
    ' ',
    '\u007f',
    '\u0080',
    '\u00a0',
    '\u00ad',
    'e\u0301',
    '\u200b\u200e\u200f',
    '\u202e\u202d\u202c',
    '\u2028\u2029',
    '\ufeff',
    '\ufffd',
    '\ufffe\uffff',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{1f1e6}\u{1f1f9}',
    '\u{10ffff}',
    '\u{fffff}',
    '\u0627\u0644\u0639\u0631\u0628\u064a\u0629',
    '\u05e2\u05d1\u05e8\u05d9\u05ea',
    '\u4e2d\u6587',
    'Z\u0351\u036b\u0343',
    '<script>alert(1)</script>',
    '&amp;',
    "'; DROP TABLE messages; --",
    '=1+1',
    '{"a":1}',
    '%00%0a',
    '$(id)`id`',
    '__proto__',
    'x'.repeat(10_000),
    '\u{1f600}'.repeat(2_000),
  ] as const
).map((text) => {
  const written = text.replace(/["\\]/g, (mark) => `\\${mark}`);
  return [written, written] as const;
});

/** How JSON.stringify writes a control character. */
const SHORT: Readonly<Record<number, string>> = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r' };

const CONTROLS: readonly Row[] = Array.from({ length: 0x20 }, (_, code) => {
  const hex = code.toString(16).padStart(4, '0');
  return [`\\u${hex}`, SHORT[code] ?? `\\u${hex}`] as const;
});

const SHORT_FORMS: readonly Row[] = ['\\b', '\\t', '\\n', '\\f', '\\r'].map((text) => [text, text] as const);

const asValue = (what: string, [written, sent]: Row): CorpusCase =>
  taken(`${what} ${shown(written)}`, request('/v1/track', trackText(`"${written}"`)), [
    queued({ wire: `"v":"${sent}"}` }),
  ]);

const asKey = ([written, sent]: Row): CorpusCase =>
  taken(`key ${shown(written)}`, request('/v1/track', trackText(`{"${written}":1}`)), [
    queued({ wire: `"v":{"${sent}":1}` }),
  ]);

const twice: readonly CorpusCase[] = [
  ['{"a":1,"a":2}', '{"a":2}'],
  ['{"a":1,"b":3,"a":2}', '{"a":2,"b":3}'],
  ['{"a":1,"\\u0061":2}', '{"a":2}'],
  ['{"":1,"":2}', '{"":2}'],
  ['{"a":{"b":1,"b":2}}', '{"a":{"b":2}}'],
  ['[{"a":1},{"a":1,"a":1}]', '[{"a":1},{"a":1}]'],
  ['{"\\u00e9":1,"\u00e9":2}', '{"\u00e9":2}'],
].map(([written, sent]) =>
  taken(`twice ${shown(written)}`, request('/v1/track', trackText(written!)), [
    queued({ notes: ['duplicate_key'], wire: `"v":${sent}}` }),
  ]),
);

const notTwice: readonly CorpusCase[] = [
  '{"a":1,"A":2}',
  '{"\u00e9":1,"e\u0301":2}',
  '{"a":1,"a ":2}',
  '[{"a":1},{"a":2}]',
  '{"a":{"a":{"a":1}}}',
].map((text) =>
  taken(`once ${shown(text)}`, request('/v1/track', trackText(text)), [queued({ wire: `"v":${text}}` })]),
);

const spaces: readonly CorpusCase[] = [' ', '\t', '\n', '\r', '\r\n', ' \t\n\r'].map((space) => {
  const text = `${space}${trackText('1')}${space}`
    .replaceAll(':', `${space}:${space}`)
    .replaceAll(',', `${space},${space}`);
  // The timestamp has colons of its own.
  const body = text.replace(/"2026-11-20T17[^"]*"/, '"2026-11-20T17:31:04.000Z"');
  return taken(`spaces ${shown(space)}`, request('/v1/track', body), [queued({ wire: '"properties":{"v":1}' })]);
});

export const strings: readonly Topic[] = [
  {
    topic: 'strings',
    cases: [
      ...[...ESCAPES, ...CONTROLS, ...SHORT_FORMS].map((row) => asValue('escaped', row)),
      ...RAW.map((row) => asValue('as it is', row)),
    ],
  },
  { topic: 'keys', cases: [...[...ESCAPES, ...CONTROLS].map(asKey), ...twice, ...notTwice, ...spaces] },
];
