import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followedText, lastFollowed } from '../../../src/core/model/followed.ts';

const url = fc
  .tuple(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom('', '.', ',', ', ', '. 307 to x.'),
  )
  .map(([start, end]) => new URL(`${start}/${end}`).href);
const hop = fc.record({ status: fc.constantFrom(301, 302, 303, 307, 308), url });

test('the last URL is found in the text of any redirects, alone or before another detail', () => {
  fc.assert(
    fc.property(
      fc.array(hop, { minLength: 1, maxLength: 20 }),
      fc.constantFrom('', ' It said so.', ' 307 to y.'),
      (hops, rest) => {
        expect(lastFollowed(followedText(hops) + rest)).toBe(hops.at(-1)!.url);
      },
    ),
  );
});

test.each([null, '', 'Followed nobody.', 'It Followed 307 to http://a.test/.', 'connect ECONNREFUSED'])(
  'a detail without redirects has none: %s',
  (detail) => expect(lastFollowed(detail)).toBeNull(),
);
