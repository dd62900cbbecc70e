/** Numbers that are JSON: what is delivered, and what the person is told when that is not what was written. */
import { queued, request, taken, trackText } from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

type Row = readonly [written: string, sent: string, note?: string];

const REWRITTEN = 'numbers_rewritten';
const CHANGED = 'number_changed';
const LOST = 'number_lost';

const ROWS: readonly Row[] = [
  ['0', '0'],
  ['-0', '0', REWRITTEN],
  ['0.0', '0', REWRITTEN],
  ['-0.0', '0', REWRITTEN],
  ['0e0', '0', REWRITTEN],
  ['-0e-5', '0', REWRITTEN],
  ['0.000', '0', REWRITTEN],
  ['1', '1'],
  ['-1', '-1'],
  ['100', '100'],
  ['1.0', '1', REWRITTEN],
  ['1.5', '1.5'],
  ['1.50', '1.5', REWRITTEN],
  ['-1.10', '-1.1', REWRITTEN],
  ['0.1', '0.1'],
  ['0.10', '0.1', REWRITTEN],
  ['0.30000000000000004', '0.30000000000000004'],
  ['0.000001', '0.000001'],
  ['0.0000001', '1e-7', REWRITTEN],
  ['1e-7', '1e-7'],
  ['1E-7', '1e-7', REWRITTEN],
  ['1e0', '1', REWRITTEN],
  ['1e2', '100', REWRITTEN],
  ['1E2', '100', REWRITTEN],
  ['1e+2', '100', REWRITTEN],
  ['1e-2', '0.01', REWRITTEN],
  ['1.5e3', '1500', REWRITTEN],
  ['1e002', '100', REWRITTEN],
  ['1.10e1', '11', REWRITTEN],
  ['1e21', '1e+21', REWRITTEN],
  ['1e+21', '1e+21'],
  ['1000000000000000000000', '1e+21', REWRITTEN],
  ['100000000000000000000', '100000000000000000000'],
  ['123456789012345680000', '123456789012345680000'],
  ['9007199254740991', '9007199254740991'],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740992', CHANGED],
  ['-9007199254740993', '-9007199254740992', CHANGED],
  ['12345678901234567890', '12345678901234567000', CHANGED],
  ['18446744073709551615', '18446744073709552000', CHANGED],
  ['9223372036854775807', '9223372036854776000', CHANGED],
  ['0.1234567890123456789', '0.12345678901234568', CHANGED],
  ['3.14159265358979323846', '3.141592653589793', CHANGED],
  ['123456789012345.6789', '123456789012345.67', CHANGED],
  ['1234567.12345678912345', '1234567.1234567892', CHANGED],
  ['4.35', '4.35'],
  ['5e-324', '5e-324'],
  ['2e-324', '0', CHANGED],
  ['1e-400', '0', CHANGED],
  ['-1e-400', '0', CHANGED],
  ['1.7976931348623157e308', '1.7976931348623157e+308', REWRITTEN],
  ['1.7976931348623157e+308', '1.7976931348623157e+308'],
  ['1.7976931348623159e308', 'null', LOST],
  ['1e308', '1e+308', REWRITTEN],
  ['1e309', 'null', LOST],
  ['1E400', 'null', LOST],
  ['-1e400', 'null', LOST],
  ['1e999999999999', 'null', LOST],
  ['1e-999999999999', '0', CHANGED],
  [`1${'0'.repeat(308)}`, '1e+308', REWRITTEN],
  [`1${'0'.repeat(309)}`, 'null', LOST],
  ['7'.repeat(30_000), 'null', LOST],
  [`0.${'0'.repeat(400)}1`, '0', CHANGED],
  [`1.${'0'.repeat(5_000)}`, '1', REWRITTEN],
];

const number = ([written, sent, note]: Row): CorpusCase =>
  taken(
    written.length > 40 ? `${written.slice(0, 20)}… (${written.length} characters)` : written,
    request('/v1/track', trackText(written)),
    [queued({ notes: note === undefined ? [] : [note], wire: `"properties":{"v":${sent}}` })],
  );

/**
 * 16 and 17 digits, with the point behind one digit more in each row. JavaScript writes each with other digits, but as
 * many of them. Finding such numbers takes seconds, so they stand here.
 */
const UNFAITHFUL = [
  ['9.876543334444443', '1.0000000123544443'],
  ['98.76545433209858', '10.000000123544443'],
  ['987.6548396172796', '100.00004567988851'],
  ['9876.543210987654', '1000.0001358112334'],
  ['98765.44322098756', '10000.000000087654'],
  ['987654.5433209858', '100000.00000087654'],
  ['9876543.951728388', '1000000.0123544443'],
  ['98765433.34444443', '10000000.247001232'],
  ['987654407.5185178', '100000000.00087654'],
  ['9876544075.185178', '1000000000.0087654'],
  ['98765434579.01232', '10000000864.285178'],
  ['987654395172.8388', '100000002470.01232'],
  ['9876543951728.388', '1000000074082.8388'],
  ['98765432109876.54', '10000000740828.388'],
  ['987654333444444.3', '100000000000876.54'],
].flat();

const keepingLength = UNFAITHFUL.map(
  (written): CorpusCase =>
    taken(`${written} keeps its length`, request('/v1/track', trackText(written)), [
      queued({ notes: [CHANGED], wire: `"v":${String(Number(written))}}` }),
    ]),
);

const many = Array.from({ length: 3_000 }, (_, n) => `"${n}":0`).join(',');

const places: readonly CorpusCase[] = [
  taken('3,000 keys that are whole numbers', request('/v1/track', trackText(`{${many}}`)), [queued()]),
  taken('whole numbers as keys behind another one', request('/v1/track', trackText('{"b":1,"1":2}')), [
    queued({ notes: ['integer_keys_moved'], wire: '"v":{"1":2,"b":1}' }),
  ]),
  taken('whole numbers as keys out of order', request('/v1/track', trackText('{"2":1,"1":2}')), [
    queued({ notes: ['integer_keys_moved'], wire: '"v":{"1":2,"2":1}' }),
  ]),
  taken('keys that look like whole numbers', request('/v1/track', trackText('{"b":1,"01":2,"-1":3,"1.0":4}')), [
    queued({ wire: '"v":{"b":1,"01":2,"-1":3,"1.0":4}' }),
  ]),
  taken('the largest key that is moved', request('/v1/track', trackText('{"b":1,"4294967294":2}')), [
    queued({ notes: ['integer_keys_moved'], wire: '"v":{"4294967294":2,"b":1}' }),
  ]),
  taken('a key too large to be moved', request('/v1/track', trackText('{"b":1,"4294967296":2}')), [
    queued({ wire: '"v":{"b":1,"4294967296":2}' }),
  ]),
  taken('a number in a string', request('/v1/track', trackText('"12345678901234567890, 1.0"')), [
    queued({ wire: '"v":"12345678901234567890, 1.0"' }),
  ]),
  taken('many numbers in one call', request('/v1/track', trackText(`[${'1.0,'.repeat(500)}2]`)), [
    queued({ notes: [REWRITTEN], wire: '"v":[1,1,1' }),
  ]),
];

export const numbers: readonly Topic[] = [
  { topic: 'numbers', cases: [...ROWS.map(number), ...keepingLength, ...places] },
];
