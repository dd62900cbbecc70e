/** What the tests of the dispatcher on a real store share. */
import { Core } from '../helpers/core-fixture.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const open = (over: Partial<ConstructorParameters<typeof Core>[0]> = {}): Core =>
  new Core({ folder: tempWorkspace(), ...over });

export const dueOf = async (core: Core) => {
  const claim = { until: core.retryClock.now(), after: { dueAt: 0, id: 0 }, limit: 10 };
  return (await core.deliveries.due.claim(claim)).messages;
};
