/**
 * A whole window on screen: `npm run window -- DIR`. One webhook that always answers 500, one message, the retry clock
 * at 240x, so that 4 h pass in a minute. Takes a picture of the message's attempts every 10 s, prints drawn and recorded
 * rounds, and ends with exit code 1 when they differ or one starts after the window. Needs a build and a Chromium.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRunning, type Running } from '../../src/cli/running.ts';
import { FINAL_STATES } from '../../src/contract/names.ts';
import type { MessageDetail } from '../../src/contract/values.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { mostLate, type RoundRow, roundFaults, roundRows } from '../helpers/window-rounds.ts';
import { launchHeadless } from './launch.ts';
import { postCall } from './post-call.ts';

const folder = process.argv[2] ?? 'test-results/window';
mkdirSync(folder, { recursive: true });

const SPEED = 240;
const PICTURE_EVERY_MS = 10_000;
/** An attempt on loopback, and the timers of a machine that draws a page and takes pictures beside it. */
const TOLERANCE = { speed: SPEED, realMs: 100 };
const KEY = 'wk_window';
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const receiver = await startReceiver({ status: 500, headers: { 'content-type': 'text/plain' }, body: 'no' });
const run = await launchHeadless({
  config: {
    sources: [{ name: 'window', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
    webhooks: { entries: [{ name: 'Always 500', url: receiver.url, headers: {}, enabled: true }] },
    clock: { speed: SPEED },
  },
});

const call = { userId: 'user-1', event: 'Order Completed', properties: { total: 184.5 } };

/** The message as soon as its first round is over. */
async function afterRoundOne(running: Running): Promise<MessageDetail> {
  await postCall(run.ingestUrl, KEY, 'track', call);
  for (;;) {
    const { rows } = await running.call('messages.list', { filter: {}, limit: 1 });
    if (rows[0]?.state === 'retrying') return running.call('messages.get', { id: rows[0].id });
    await pause(2);
  }
}

const clock = (ms: number | null): string =>
  ms === null ? '' : new Date(ms).toISOString().slice(11, 21).replace('T', '');
const seconds = (ms: number | null): string => (ms === null ? '' : (ms / 1000).toFixed(1));

function tableOf(rows: readonly RoundRow[]): string {
  const heads = ['round', 'drawn', 'recorded', 'difference s', 'wait longer by s'];
  const lines = rows.map(({ round, drawn, recorded, late }) => {
    const difference = drawn === null || recorded === null ? null : recorded - drawn;
    const start = recorded === null ? 'none: late by then, past the window' : clock(recorded);
    return [round, clock(drawn), start, seconds(difference), seconds(late)];
  });
  return [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

try {
  const running = (await openRunning(run.workspace))!;
  const drawn = await afterRoundOne(running);
  const { id } = drawn.message;
  const startedAt = performance.now();
  await run.page.getByRole('row', { name: /Order Completed/ }).click();
  let pictures = 0;
  const picture = async (): Promise<void> => {
    const name = `window-${String(Math.round((performance.now() - startedAt) / 1000)).padStart(2, '0')}s.png`;
    pictures += 1;
    await run.page.screenshot({ path: join(folder, name) });
  };
  let detail = drawn;
  while (!FINAL_STATES.has(detail.message.state)) {
    if (performance.now() - startedAt > pictures * PICTURE_EVERY_MS) await picture();
    await pause(100);
    detail = await running.call('messages.get', { id });
  }
  await pause(500);
  await picture();
  running.close();

  const windowMs = drawn.schedule!.windowEndsAt - drawn.schedule!.rounds[0]!.at;
  const rows = roundRows(drawn.schedule!, detail.attempts);
  const faults = roundFaults(rows, windowMs, TOLERANCE);
  if (detail.message.state !== 'expired') faults.push(`the message is ${detail.message.state}, not expired`);
  if (receiver.requests.length !== detail.attempts.length)
    faults.push(`${receiver.requests.length} requests arrived, ${detail.attempts.length} attempts are recorded`);
  console.log(tableOf(rows));
  const most = `a wait may be up to ${seconds(mostLate(TOLERANCE))} s longer than drawn: 1 s and ${TOLERANCE.realMs} ms real at ${SPEED}x`;
  console.log(
    `\n${detail.message.state} after ${seconds(performance.now() - startedAt)} s, ${pictures} pictures; ${most}`,
  );
  for (const fault of [...faults, ...run.problems]) console.log(`FAULT: ${fault}`);
  process.exitCode = faults.length + run.problems.length === 0 ? 0 : 1;
} finally {
  await run.stop();
  await receiver.close();
}
