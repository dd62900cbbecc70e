/** Rounds of the running test, and what the tests of rounds share. */
import { beforeEach } from 'vitest';
import { waitAfterRound } from '../../../src/core/model/backoff.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import { urlOf, webhookOf } from '../../helpers/core-fixture.ts';
import { RoundsFixture } from '../../helpers/rounds-fixture.ts';
import { always, answer } from '../../helpers/sim-transport.ts';

export const FULL = new StoreNotWritableError('full');
export const DAMAGED = new StoreDamagedError('page 7');
export const BUG = new TypeError('no');
export const ONE = [webhookOf(1)];
export const OFF = [webhookOf(1, { enabled: false }), webhookOf(2)];
export const WINDOW = PROFILES.documented.retry.windowMs;
export const dueAfter = (id: number, now: number): number => now + waitAfterRound(PROFILES.documented.retry, id, 1)!;

/** New for each test, until {@link use} replaces it. */
export let core: RoundsFixture;
export const use = (fixture: RoundsFixture): RoundsFixture => {
  core = fixture;
  return core;
};
beforeEach(() => {
  use(new RoundsFixture());
});

/** Webhook `slot` answers with `status` after `afterMs`. */
export const answers = (slot: number, status: number, afterMs: number): unknown =>
  core.transport.on(urlOf(slot), always(answer(status, afterMs)));
export const counts = () => ({ size: core.rounds.size, inFlight: core.rounds.inFlight, parked: core.rounds.parked });
export const GONE = { size: 0, inFlight: 0, parked: 0 };

/** Sixteen rounds that take every sender of webhook 1 for `busyMs`, and message 17, which waits for one. */
export async function crowd(busyMs = 50): Promise<void> {
  use(new RoundsFixture(ONE));
  answers(1, 500, busyMs);
  for (let id = 1; id <= 16; id++) core.begin(id);
  core.begin(17);
  await core.commitAll();
  core.news();
}
