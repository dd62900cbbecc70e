/** The retry clock. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { ClockKeeper } from '../../delivery/clock-keeper.ts';
import type { RetryClock } from '../../delivery/retry-clock.ts';
import type { DueStore } from '../../store/ports/due.ts';

export interface ClockDeps {
  readonly clockKeeper: ClockKeeper;
  readonly retryClock: RetryClock;
  readonly due: Pick<DueStore, 'nextRoundAfter'>;
}

type ClockCommand = 'clock.setSpeed' | 'clock.pause' | 'clock.resume' | 'clock.step';

export const clockHandlers = ({ clockKeeper, retryClock, due }: ClockDeps): Pick<Handlers, ClockCommand> => ({
  'clock.setSpeed': ({ speed }) => clockKeeper.change((clock) => clock.setSpeed(speed)),
  'clock.pause': () => clockKeeper.change((clock) => clock.pause()),
  'clock.resume': () => clockKeeper.change((clock) => clock.resume()),
  'clock.step': () => {
    const next = due.nextRoundAfter(retryClock.now());
    if (next === null) throw new ContractError('nothing_waiting');
    return clockKeeper.change((clock) => clock.step(next));
  },
});
