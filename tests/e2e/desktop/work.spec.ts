/** A day's work in one window of the desktop shell, from the first event to a replay, over every screen. */
import { expect, type Page } from '@playwright/test';
import { type Receiver, startReceiver } from '../../helpers/receivers.ts';
import { type LaunchedDesktop, test } from '../launch.ts';
import { ask, isConnected, opener, post } from './open.ts';

test.describe.configure({ mode: 'serial' });
const { launch, closeAll } = opener();
let desktop: LaunchedDesktop;
let page: Page;
let receiver: Receiver | undefined;
// Before the first test and not before all: where the shell cannot run, nothing is started.
test.beforeEach(async ({ shell }) => {
  if (receiver !== undefined) return;
  receiver = await startReceiver('hang');
  desktop = await launch(shell);
  page = desktop.page;
  await isConnected(page);
});
test.afterAll(async () => {
  await closeAll();
  await receiver?.close();
});

const link = (name: RegExp) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });

test('the first event through the real port leads to the list', async () => {
  await expect(page.getByRole('heading', { name: 'See it work, or send your own' })).toBeVisible();
  await post(desktop, 'First event');
  await expect(page.getByText(/^First event received after/)).toBeVisible();
  await expect(row('First event')).toBeVisible();
  await expect(row('First event')).toHaveAttribute('aria-current', 'true');
});

test('on every screen the page is live', async () => {
  const screens = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').all();
  expect(screens.length).toBeGreaterThan(5);
  for (const [n, screen] of screens.entries()) {
    await screen.click();
    await post(desktop, `On screen ${n}`);
    await expect(link(/^Live/)).toContainText(String(n + 2));
  }
  await link(/^Live/).click();
  await expect(row(`On screen ${screens.length - 1}`)).toBeVisible();
});

test('a webhook made elsewhere shows, and one that does not answer is timed out and tried again at 60x', async () => {
  await link(/^Webhooks/).click();
  await ask(desktop.workspace, async (client) => {
    await client.call('destination.save', { timeoutMs: 1_000 });
    await client.call('webhooks.save', { name: 'CRM sync', url: receiver!.url, headers: [], enabled: true });
  });
  await expect(page.getByText('CRM sync').first()).toBeVisible();
  await page.getByRole('region', { name: 'Retry clock' }).getByText('60×', { exact: true }).click();
  await link(/^Live/).click();
  await post(desktop, 'Slow one');
  await row('Slow one').click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Round 2' })).toBeVisible();
  await expect(page.getByText('Timed out, no response').first()).toBeVisible();
  receiver!.setAnswer({ status: 200, body: 'ok' });
  await expect(page.getByText(/^Delivered/).first()).toBeVisible();
  const { requests } = receiver!;
  expect(requests.length).toBeGreaterThan(2);
  for (const { body } of requests) expect(body.equals(requests[0]!.body)).toBe(true);
});

test('a replay sends the same bytes and leaves the message as it was', async () => {
  // The limit is no longer what is looked at.
  await ask(desktop.workspace, (client) => client.call('destination.save', { timeoutMs: 5_000 }));
  const before = receiver!.requests.length;
  await page.keyboard.press('r');
  await page.getByRole('button', { name: /Send to 1 webhook/ }).click();
  await expect(page.getByRole('row', { name: /CRM sync/ })).toContainText('Same result');
  expect(receiver!.requests.length).toBe(before + 1);
  expect(receiver!.requests.at(-1)!.body.equals(receiver!.requests[0]!.body)).toBe(true);
  const { counts } = await ask(desktop.workspace, (client) => client.call('app.status'));
  expect(counts.delivered).toBe(1);
  expect(desktop.problems).toEqual([]);
});
