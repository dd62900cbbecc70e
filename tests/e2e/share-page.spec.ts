/** The page to share, opened from the disk as its receiver opens it, with hostile messages in it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, expect } from '@playwright/test';
import type { Exported } from '../../src/core/exchange/exported.ts';
import type { FileFacts } from '../../src/core/exchange/formats/format.ts';
import { html } from '../../src/core/exchange/formats/html.ts';
import { chromiumArguments, chromiumPath } from '../../tools/chromium.mjs';
import { HOSTILE_STRINGS } from '../helpers/hostile-strings.ts';
import { test, watchProblems } from './launch.ts';

const FACTS: FileFacts = { version: '1.0.0', at: '2026-11-20T12:00:00.000Z', port: 8765, mask: ['traits.<b>'] };

/** A message with the text in every place that takes foreign text. */
const messageWith = (text: string): Exported => ({
  messageId: text,
  type: 'track',
  name: text,
  userId: text,
  anonymousId: text,
  origin: 'sdk',
  source: text,
  state: 'delivered',
  reason: text,
  reasonDetail: text,
  receivedAt: FACTS.at,
  size: 1,
  repeats: 0,
  replays: 0,
  notes: [],
  request: { method: 'POST', path: '/v1/track', status: 200, headers: [{ name: 'X', value: text }], body: text },
  delivered: JSON.stringify({ type: 'track', event: text }),
  attempts: [
    {
      webhook: text,
      slot: 1,
      url: `http://receiver.test/${text}`,
      round: 1,
      replay: null,
      startedAt: FACTS.at,
      outcome: 'accepted',
      reason: null,
      detail: text,
      status: 200,
      statusText: text,
      durationMs: 1,
      phases: [],
      requestHeaders: [{ name: 'X-Signature', hiddenLength: 40 }],
      responseHeaders: [{ name: 'X', value: text }],
      response: { body: text },
      responseBytes: 1,
      responseCut: false,
    },
  ],
  attemptsLeftOut: 2,
});

let browser: Browser | undefined;
const folder = mkdtempSync(join(tmpdir(), 'hookbench-share-'));
test.afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('it shows hostile messages as text, asks for nothing, and can be read in both themes', async () => {
  const file = join(folder, 'messages.html');
  const messages = HOSTILE_STRINGS.map(messageWith);
  const body = messages.map((message, i) => html.message(message, i, FACTS)).join('');
  writeFileSync(file, html.head(FACTS) + body + html.tail(messages.length));
  const url = pathToFileURL(file).href;

  browser = await chromium.launch({ executablePath: chromiumPath()!, args: chromiumArguments });
  const page = await (await browser.newContext()).newPage();
  const problems = watchProblems(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);

  await expect(page.getByText('250 messages', { exact: true })).toBeVisible();
  await expect(page.locator('article')).toHaveCount(250);
  await page.locator('details').evaluateAll((all) => {
    for (const details of all) (details as HTMLDetailsElement).open = true;
  });
  // The policy lets its own style in.
  expect(
    await page
      .locator('article')
      .first()
      .evaluate((article) => getComputedStyle(article).borderRadius),
  ).toBe('8px');
  expect([problems, asked, page.url()]).toEqual([[], [url], url]);
  // And nothing else, not even when a script asks.
  const answer = await page.evaluate(() =>
    fetch('http://127.0.0.1:9/').then(
      () => 'sent',
      () => 'refused',
    ),
  );
  expect([answer, problems.some((problem) => problem.includes('Content Security Policy'))]).toEqual(['refused', true]);

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // In legacy mode, axe opens no second page: the policy would hold there too.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).include('header').include('article:first-of-type');
    const { violations } = await axe.analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  }
});
