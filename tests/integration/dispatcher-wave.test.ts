/** 10,000 messages that fail at once come back spread out (reliability, D5): the real dispatcher in simulated time. */
import { expect, test } from 'vitest';
import { Core, newMessage, urlOf, webhooksOf } from '../helpers/core-fixture.ts';
import { SIM_START } from '../helpers/sim-ports.ts';
import { always, answer } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const MESSAGES = 10_000;
const A_REQUEST = 500;
/** The first wait from 60 s on is the one after round 4, nominally 80 s. */
const ROUND = 5;
const MOST_PER_SECOND = 0.04;

/** Arrivals of one round by second of the retry clock. */
function bySecond(bodies: ReadonlyArray<{ readonly body: string; readonly mono: number }>, round: number): number[] {
  const tries = new Map<string, number>();
  const seconds = new Map<number, number>();
  for (const { body, mono } of bodies) {
    const n = (tries.get(body) ?? 0) + 1;
    tries.set(body, n);
    const second = Math.floor(mono / 1000);
    if (n === round) seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  return [...seconds.values()];
}

test('the fullest second of a later round holds at most 4 % of a wave of 10,000', async () => {
  const core = await new Core({ folder: tempWorkspace() }).start(webhooksOf(1));
  core.transport.on(urlOf(1), always(answer(500)));
  for (let from = 0; from < MESSAGES; from += A_REQUEST)
    await core.done(core.ingest(Array.from({ length: A_REQUEST }, (_, i) => newMessage(`m${from + i}`))));

  const until = (core.rules.baseMs * (2 ** (ROUND - 1) - 1) * (1 + core.rules.jitter) + 10_000) | 0;
  await core.time.advance(until);

  const counts = bySecond(core.transport.sent, ROUND);
  const fullest = Math.max(...counts);
  console.log(`round ${ROUND}: ${MESSAGES} messages over ${counts.length} s, ${fullest} in the fullest second`);
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(MESSAGES);
  expect(fullest).toBeLessThanOrEqual(MESSAGES * MOST_PER_SECOND);
  expect(core.time.wall()).toBe(SIM_START + until);
});
