/** The schedule that a message shows is what happens to it: the real engine, real sockets, a short window at 60x. */
import { expect, test } from 'vitest';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { watchTimers } from '../helpers/timer-lasts.ts';
import { roundFaults, roundRows } from '../helpers/window-rounds.ts';

const SPEED = 60;
/** 8 s of real time, so that a busy machine is in time for rounds at about 0, 10, 30, 70, 150 and 310 s of the retry clock. */
const WINDOW_MS = 480_000;

test('every drawn round starts when it was drawn, none follows the window, and the message expires', async ({
  onTestFinished,
}) => {
  const receiver = await startReceiver({ status: 500 });
  onTestFinished(() => receiver.close());
  const config = configOf([receiver.url], { speed: SPEED });
  const engine = await startEngine({ config });
  const { retry } = engine.hello.parts.destination;
  await engine.client.call('destination.save', { retry: { ...retry, windowMs: WINDOW_MS } });

  const latest = watchTimers();
  onTestFinished(() => void latest());
  const messageId = await engine.track('Never Taken');
  const { id } = await engine.messageWhen(messageId, ({ state }) => state === 'retrying');
  const { schedule } = await engine.client.call('messages.get', { id });
  const final = await engine.final(messageId);

  expect(final.state).toBe('expired');
  const rows = roundRows(schedule!, await engine.attempts(messageId));
  expect(roundFaults(rows, WINDOW_MS, { speed: SPEED, realMs: 250 + latest() })).toEqual([]);
  expect(rows.filter(({ recorded }) => recorded !== null).length).toBeGreaterThanOrEqual(5);
  expect(receiver.requests.length).toBe(rows.filter(({ recorded }) => recorded !== null).length);
});
