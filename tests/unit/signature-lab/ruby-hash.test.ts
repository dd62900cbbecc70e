/** What Ruby 3.3 and 3.4 print for parsed JSON; the texts come from Ruby itself. */
import { expect, test } from 'vitest';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { explain } from '../../../src/core/signature-lab/explain.ts';
import { readTree } from '../../../src/core/signature-lab/json-tree.ts';
import { rubyHash } from '../../../src/core/signature-lab/ruby-hash.ts';

test.each([
  [
    '{"a":1,"b":null,"c":[1,2.0,true,false,{}],"d":{},"e":[]}',
    '{"a"=>1, "b"=>nil, "c"=>[1, 2.0, true, false, {}], "d"=>{}, "e"=>[]}',
  ],
  [
    '{"n":[-0,-0.0,1e15,1e16,0.0001,0.00001,12345678901234567890]}',
    '{"n"=>[0, -0.0, 1.0e+15, 1.0e+16, 0.0001, 1.0e-05, 12345678901234567890]}',
  ],
  ['{"d":1,"e":0,"d":2}', '{"d"=>2, "e"=>0}'],
  [String.raw`{"s":"q\"\\ it's\/ #{a} #$b #@c # d #x"}`, String.raw`{"s"=>"q\"\\ it's/ \#{a} \#$b \#@c # d #x"}`],
  [String.raw`["\u0001\b\f\n\r\t\u000b\u0007\u001b\u007f\u0080"]`, String.raw`["\u0001\b\f\n\r\t\v\a\e\u007F\u0080"]`],
  [String.raw`["\u00eb \u00a0\u200b\ue000 \ud83d\ude00"]`, '["ë \u00a0\u200b\ue000 😀"]'],
  [String.raw`["\u2028\uffff\udbff\udfff"]`, String.raw`["\u2028\uFFFF\u{10FFFF}"]`],
])('Ruby 3.3 prints %s as %s', (json, printed) => {
  expect(rubyHash(readTree(json), '=>')).toBe(printed);
});

test('Ruby 3.4 has spaces around the arrow', () => {
  expect(rubyHash(readTree('{"a":{"b => c":[{"d":1}]}}'), ' => ')).toBe('{"a" => {"b => c" => [{"d" => 1}]}}');
});

const BODY = '{"type":"track","url":"/a?b=(c)","properties":{"total":184.50,"none":null}}';
const changesOf = (hashed: string) =>
  explain({ body: Buffer.from(BODY), secret: 's', digest: signatureOf('s', Buffer.from(hashed)) });

test.each([
  ['ruby_hash', '{"type" => "track", "url" => "/a?b=(c)", "properties" => {"total" => 184.5, "none" => nil}}'],
  ['ruby_hash_before', '{"type"=>"track", "url"=>"/a?b=(c)", "properties"=>{"total"=>184.5, "none"=>nil}}'],
])('a verifier that printed the hash is named as %s', (change, hashed) => {
  expect(changesOf(hashed)).toMatchObject({ kind: 'explained', changes: [change] });
});
