import { expect, test } from 'vitest';
import { membersText } from '../../../src/renderer/screens/audiences/words.ts';

const counts = (members: number) => ({ members, toAdd: 0, toRemove: 0, toChange: 0 });

test('nobody is a number only once everyone was counted', () => {
  expect(membersText({ isCounted: true, counts: counts(0) })).toBe('0');
  expect(membersText({ isCounted: false, counts: counts(0) })).toBe('Not counted yet');
  expect(membersText({ isCounted: false, counts: counts(1_200) })).toBe(
    membersText({ isCounted: true, counts: counts(1_200) }),
  );
});
