import { expect, it } from 'vitest';
import { leftText, NO_REPLAYS, seen, summed } from '../../../src/renderer/screens/audiences/sync/replay-words.ts';

it('names what kept each failed call from being replayed, in numbers that add up', () => {
  const some = { begun: 3, removed: 2, withoutBody: 1, damaged: 1, unlisted: 0 };
  const all = summed(some, { begun: 1, removed: 0, withoutBody: 1, damaged: 1, unlisted: 1 });
  expect(seen(all)).toBe(11);
  expect(leftText(all)).toBe(
    '7 calls were not replayed: 2 were removed with their messages, 2 were rejected and never had a delivered body, ' +
      '2 have damaged bodies, 1 is only counted, because the sync is old.',
  );
  expect(leftText({ ...NO_REPLAYS, removed: 1 })).toBe('1 call was not replayed: 1 was removed with its message.');
  expect(leftText({ ...NO_REPLAYS, withoutBody: 1, damaged: 1 })).toBe(
    '2 calls were not replayed: 1 was rejected and never had a delivered body, 1 has a damaged body.',
  );
  expect(leftText({ ...NO_REPLAYS, begun: 9 })).toBe('');
});
