/**
 * From a call's POST to its row in a painted frame of the real interface, with calls at uneven times.
 * Needs `npm run build` and a Chromium. Prints one JSON line.
 *
 *   node bench/screen.ts [--calls 200] [--stored 0]
 */
import { parseArgs } from 'node:util';
import { launchHeadless } from '../tests/e2e/launch.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '200' }, stored: { type: 'string', default: '0' } },
});
const CALLS = Number(values.calls);
const STORED = Number(values.stored);

const run = await launchHeadless({
  config: { sources: [{ name: 'screen', writeKey: 'screen', kind: 'server', enabled: true, webhooks: true }] },
});
const headers = { authorization: `Basic ${btoa('screen:')}`, 'content-type': 'application/json' };
const post = async (path: string, body: unknown): Promise<void> => {
  const answer = await fetch(`${run.ingestUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}`);
};
const call = (event: string) => ({ type: 'track', userId: 'u', event, properties: { a: 1 } });

for (let n = 0; n < STORED; n += 500)
  await post('/v1/batch', { batch: Array.from({ length: 500 }, (_, i) => call(`Stored ${n + i}`)) });
if (STORED > 0) await run.page.waitForTimeout(3_000);
await post('/v1/track', call('Arrival first'));
await run.page.getByText('Arrival first').first().waitFor();

/** The frame after a row was put in has painted it. */
await run.page.evaluate(() => {
  const seen = new Map<string, number>();
  (window as unknown as { seen: Map<string, number> }).seen = seen;
  new MutationObserver(() => {
    const names = [...document.querySelectorAll('[role=row]')].map(
      (row) => /Arrival \d+/.exec(row.textContent ?? '')?.[0],
    );
    requestAnimationFrame(() => {
      const now = performance.timeOrigin + performance.now();
      for (const name of names) if (name !== undefined && !seen.has(name)) seen.set(name, now);
    });
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
});

const sentAt = new Map<string, number>();
for (let n = 0; n < CALLS; n++) {
  await new Promise((resolve) => setTimeout(resolve, 20 + ((n * 73) % 380)));
  sentAt.set(`Arrival ${n}`, performance.timeOrigin + performance.now());
  await post('/v1/track', call(`Arrival ${n}`));
}
await run.page
  .getByText(`Arrival ${CALLS - 1}`)
  .first()
  .waitFor();
await run.page.waitForTimeout(200);
const seen = new Map(await run.page.evaluate(() => [...(window as unknown as { seen: Map<string, number> }).seen]));
await run.stop();

const delays = [...sentAt].map(([name, at]) => (seen.get(name) ?? Number.POSITIVE_INFINITY) - at).sort((a, b) => a - b);
const at = (share: number): number =>
  Number(delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]!.toFixed(1));
console.log(
  JSON.stringify({
    bench: 'screen',
    calls: CALLS,
    stored: STORED,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    longest: at(1),
  }),
);
process.exit(0);
