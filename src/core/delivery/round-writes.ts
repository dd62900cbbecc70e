/** What rounds write, made of what they know. */
import type { Move } from '../model/moves.ts';
import { type Clock, StoreDamagedError } from '../ports.ts';
import type { NewAttempt, RoundStore, RoundWrite, RoundWritten } from '../store/ports/rounds.ts';
import type { RetryClock } from './retry-clock.ts';
import type { Round, Unwritten } from './round.ts';
import type { StoreGuard } from './store-guard.ts';
import type { DeliveryWebhook } from './webhooks.ts';

const NOTHING: RoundWrite = { finished: [], moves: [], opened: [] };

export const newAttempt = (
  round: Round,
  { id, slot, name, url }: DeliveryWebhook,
  { clock, retryClock }: { readonly clock: Clock; readonly retryClock: RetryClock },
): NewAttempt => ({
  messageId: round.message.id,
  replayId: null,
  webhookId: id,
  slot,
  webhookName: name,
  url,
  round: round.number,
  startedAt: clock.wall(),
  clockAt: retryClock.now(),
});

/** Writes each piece by itself, around damaged pages. Null when something else than damage keeps one from being written. */
export async function writeApart(
  { moves, ended }: Unwritten,
  store: RoundStore,
  guard: StoreGuard,
): Promise<{ readonly tookPlace: boolean; readonly lost: Move | null } | null> {
  const apart = (write: Partial<RoundWrite>): Promise<RoundWritten> =>
    guard.persist(() => store.write(() => ({ ...NOTHING, ...write }), 2));
  const pieces = [apart({ moves }), ...ended.map(({ row }) => apart({ finished: [row] }))];
  const [moved, ...results] = await Promise.allSettled(pieces);
  const isOther = (answer: PromiseSettledResult<RoundWritten> | undefined): boolean =>
    answer?.status === 'rejected' && !(answer.reason instanceof StoreDamagedError);
  if (isOther(moved) || results.some(isOther)) return null;
  if (moved?.status !== 'fulfilled') return { tookPlace: false, lost: null };
  return { tookPlace: moved.value.lost === null, lost: moved.value.lost };
}
