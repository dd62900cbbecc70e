/** The dispatcher of the running test, and what its tests share. */
import { beforeEach } from 'vitest';
import { StoreNotWritableError } from '../../../src/core/ports.ts';
import { urlOf, webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { DispatcherFixture } from '../../helpers/dispatcher-fixture.ts';
import { always, answer } from '../../helpers/sim-transport.ts';

export const SECOND = 1_000;
export const FULL = new StoreNotWritableError('full');
export const TORN = new Error('torn');
export const ONE = [webhookOf(1)];
export const OFF = [webhookOf(1, { enabled: false })];

/** New for each test, with two webhooks that accept everything. */
export let core: DispatcherFixture;
beforeEach(() => {
  core = new DispatcherFixture();
  core.transport.on(urlOf(1), always(answer(200, 10)));
  core.transport.on(urlOf(2), always(answer(200, 10)));
});

export const ids = (n: number, from = 1): number[] => Array.from({ length: n }, (_, i) => from + i);
/** Every sender of webhook 1 is busy for 5 s. Webhook 2 refused message 17, which waits for the other one. */
export async function waitingForOne(): Promise<void> {
  core.transport.on(urlOf(1), always(answer(500, 5_000)));
  await core.start(webhooksOf(2));
  core.offer(...ids(16));
  await core.time.advance(10);
  core.transport.on(urlOf(2), always(answer(500, 10)));
  core.offer(17);
  await core.time.advance(10);
}
export const idle = () => [core.dispatcher.inFlight, core.dispatcher.queued, core.dispatcher.rounds()];
