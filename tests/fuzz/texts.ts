/** Texts as nobody should send them over the contract, and some that are well formed, from a seed. */
import fc from 'fast-check';
import { commands } from '../../src/contract/commands.ts';

const inherited = [...Object.getOwnPropertyNames(Object.prototype), 'then', 'call', 'changes', '$close', 'prototype'];
const real = Object.keys(commands);
const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', 0, -1, [], {}, 'q', 's', { length: 4_294_967_295 }));
const oddly = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });

const id = fc.string({ minLength: 1, maxLength: 21 });
const name = fc.oneof(fc.constantFrom(...inherited), fc.constantFrom(...real), fc.string());
const args = fc.oneof(fc.tuple(name, odd), fc.tuple(name), fc.array(odd, { maxLength: 4 }));
const method = fc.oneof({ weight: 3, arbitrary: fc.constant('call') }, fc.constantFrom(...inherited));

const written = (value: fc.Arbitrary<unknown>): fc.Arbitrary<string> => value.map((one) => JSON.stringify(one) ?? '');
/** A call with any part of it odd or absent. */
const almostCall = written(
  fc.record(
    { t: oddly(fc.constant('q')), i: oddly(id), m: oddly(method), a: oddly(args), o: odd },
    { requiredKeys: [] },
  ),
);
const call = written(fc.record({ t: fc.constant('q'), i: id, m: fc.constant('call'), a: fc.tuple(name, odd) }));
const answer = written(fc.record({ t: fc.constant('s'), i: oddly(id), r: odd, e: odd }, { requiredKeys: ['t'] }));
const broken = fc
  .tuple(fc.oneof(call, answer), fc.nat(), fc.string({ unit: 'binary', maxLength: 3 }), fc.nat(5))
  .map(([text, at, put, cut]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  });
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const large = fc.constantFrom(
  'x'.repeat(1_000_000),
  `{"t":"q","i":"1","m":"call","a":["app.status",${deep(100_000)}]}`,
  deep(400_000),
  '['.repeat(900_000),
  `{"t":"q","i":"1","m":"call","a":${JSON.stringify(new Array(200_000).fill(0))}}`,
  `{"t":"s","i":"${'9'.repeat(500_000)}"}`,
);
const plain = fc.constantFrom(
  '',
  ' ',
  'x',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '\r',
  '\u0000',
  '\ufeff{}',
  '{"t":"q"}',
);

/** The same texts for the same seed. */
export const someTexts = (count: number, seed: number): string[] =>
  fc.sample(
    fc.oneof(
      { weight: 60, arbitrary: almostCall },
      { weight: 40, arbitrary: call },
      { weight: 30, arbitrary: broken },
      { weight: 20, arbitrary: answer },
      { weight: 20, arbitrary: plain },
      { weight: 10, arbitrary: fc.json() },
      { weight: 10, arbitrary: fc.string({ unit: 'binary' }) },
      { weight: 1, arbitrary: large },
    ),
    { numRuns: count, seed },
  );
