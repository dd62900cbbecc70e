/** What became of the failed calls of a sync that were replayed, in words. Pure. */
import type { FailedReplays } from '../../../../contract/values.ts';
import { formatCount, plural } from '../../../lib/format.ts';

export type ReplayCounts = Omit<FailedReplays, 'next'>;

export const NO_REPLAYS: ReplayCounts = { begun: 0, removed: 0, withoutBody: 0, damaged: 0, unlisted: 0 };

export const summed = (a: ReplayCounts, b: ReplayCounts): ReplayCounts => ({
  begun: a.begun + b.begun,
  removed: a.removed + b.removed,
  withoutBody: a.withoutBody + b.withoutBody,
  damaged: a.damaged + b.damaged,
  unlisted: a.unlisted + b.unlisted,
});

/** Failed calls that were looked at. */
export const seen = ({ begun, ...left }: ReplayCounts): number => begun + notReplayed(left);

const notReplayed = ({ removed, withoutBody, damaged, unlisted }: Omit<ReplayCounts, 'begun'>): number =>
  removed + withoutBody + damaged + unlisted;

/** `3 calls were not replayed: 2 messages were removed, 1 was rejected.` Empty when all were. */
export function leftText(counts: ReplayCounts): string {
  const left = notReplayed(counts);
  if (left === 0) return '';
  const { removed, withoutBody, damaged, unlisted } = counts;
  const parts = [
    removed > 0 &&
      `${formatCount(removed)} ${were(removed)} removed with ${removed === 1 ? 'its message' : 'their messages'}`,
    withoutBody > 0 && `${formatCount(withoutBody)} ${were(withoutBody)} rejected and never had a delivered body`,
    damaged > 0 && `${formatCount(damaged)} ${damaged === 1 ? 'has a damaged body' : 'have damaged bodies'}`,
    unlisted > 0 && `${formatCount(unlisted)} ${unlisted === 1 ? 'is' : 'are'} only counted, because the sync is old`,
  ];
  return `${plural(left, 'call')} ${were(left)} not replayed: ${parts.filter(Boolean).join(', ')}.`;
}

const were = (n: number): string => (n === 1 ? 'was' : 'were');
