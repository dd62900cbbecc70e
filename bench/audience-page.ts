/**
 * How long keys wait in the page while an audience has its first sync: the page of Audiences in Chromium, which shows the
 * sync, and real key presses at uneven times. A delay is the time from the press, as the browser stamps it, to the page's
 * listener. Needs `npm run build`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRunning } from '../src/cli/running.ts';
import { cannotRun, launchHeadless, root } from '../tests/e2e/launch.ts';
import { figuresOf, quantile } from './load-phase.ts';

export interface PageToMeasure {
  readonly members: number;
  readonly userId: (n: number) => string;
  /** Where the webhook listens. */
  readonly hookPort: number;
}

/** Keys that move between the rows and the tabs of the page. */
const KEYS = ['ArrowDown', 'ArrowUp', 'Tab', 'Shift+Tab'];
const QUIET_KEYS = 100;
const CHUNK = 1_000;

/** A word where it cannot be measured. */
export async function pageInput({ members, userId, hookPort }: PageToMeasure) {
  const isBuilt = existsSync(join(root, 'out/renderer/index.html'));
  const reason = cannotRun('headless') ?? (isBuilt ? null : 'out/ is not built: npm run build');
  if (reason !== null) return { skipped: reason };
  const run = await launchHeadless({
    config: {
      webhooks: {
        body: 'pass-through',
        entries: [{ name: 'hook', url: `http://127.0.0.1:${hookPort}/`, headers: {}, enabled: true }],
      },
      storage: { maxMessages: 10_000_000, maxBytes: 100_000_000_000 },
    },
  });
  const running = await openRunning(run.workspace);
  if (running === null) throw new Error('The engine has no local socket.');
  const { id } = await running.call('audiences.save', { name: 'Watched' });
  for (let first = 1; first <= members; first += CHUNK) {
    const add = Array.from({ length: Math.min(CHUNK, members - first + 1) }, (_, i) => userId(first + i));
    await running.call('audiences.editMembers', { id, add });
  }
  const { page } = run;
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByText('Watched').first().waitFor();
  await page.evaluate(() => {
    const delays: number[] = [];
    (window as unknown as { delays: number[] }).delays = delays;
    addEventListener('keydown', (event) => delays.push(performance.now() - event.timeStamp), { capture: true });
  });
  const taken = (): Promise<number[]> =>
    page.evaluate(() => (window as unknown as { delays: number[] }).delays.splice(0));
  let n = 0;
  const press = async (): Promise<void> => {
    await page.keyboard.press(KEYS[n % KEYS.length]!);
    n += 1;
    await sleep(20 + ((n * 73) % 60));
  };

  for (let i = 0; i < QUIET_KEYS; i += 1) await press();
  const quiet = await taken();
  await running.call('audiences.sync', { id });
  while ((await running.call('audiences.getSync', { id, n: 1 })).state !== 'done') await press();
  const syncing = await taken();
  running.close();
  await run.stop();
  const figures = (delays: readonly number[]) => ({ ...figuresOf(delays), p95: quantile(delays, 0.95) });
  return { quiet: figures(quiet), syncing: figures(syncing) };
}
