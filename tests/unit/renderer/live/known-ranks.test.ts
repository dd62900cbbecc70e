import { expect, it } from 'vitest';
import { KnownRanks } from '../../../../src/renderer/stores/live/known-ranks.ts';

it('a rank is certain from its answer until it is doubted, forgotten or removed', () => {
  const known = new KnownRanks(() => 'one day');
  const certain = () => [0, 1, 2, 3].filter((rank) => known.isCertain(rank));
  const put = (rank: number) => known.put(rank, { id: rank + 10, receivedAt: 0 });
  for (const rank of [0, 1, 2, 3]) put(rank);
  expect(certain()).toEqual([0, 1, 2, 3]);
  known.forgetFrom(2);
  expect(certain()).toEqual([0, 1]);
  known.doubtAll();
  expect([certain(), known.idAt(1)]).toEqual([[], 11]);
  put(1);
  expect(certain()).toEqual([1]);
  known.remove([10]);
  expect([certain(), known.idAt(0)]).toEqual([[], 11]);
});
