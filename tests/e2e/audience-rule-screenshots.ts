/**
 * Pictures of the rule editor and of the import of members in both themes at three widths, from the real engine:
 * `node tests/e2e/audience-rule-screenshots.ts DIR [WORD]`. With a word only the pictures whose names have it. The last
 * ones show a recount of 100,000 calls under way, cancelled, and an engine that has lost its thread of people.
 */
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchHeadless, root } from './launch.ts';
import { goTo, inBothThemes, pictureFolder, postBatches, takePictures, WIDTHS } from './pictures-of.ts';

const folder = pictureFolder();
const word = process.argv[3] ?? '';

const KEY = 'wk_checkout';
const DAY = 86_400_000;

async function pictures(page: Page, name: string, widths?: readonly number[]): Promise<void> {
  if (name.includes(word)) await takePictures(page, join(folder, name), widths);
}

const go = (page: Page, hash: string): Promise<void> => goTo(page, hash, 400);

const NAMES = ['Mira Kovač', 'Anaïs Lévy', 'Lee Park', 'Tomáš Dvořák', 'ليلى حداد', ''];
const COUNTRIES = ['AT', 'FR', 'DE', 'DE', 'IT', 'US', 'GB'];
const PLANS = ['enterprise', 'pro', 'free'];

/** Identify and track calls of so many people; the same for the same number. */
function* shop(people: number, now: number): Generator<object> {
  for (let i = 0; i < people; i += 1) {
    const userId = `usr_${(0x8f21 + i * 7919).toString(16)}`;
    const name = NAMES[i % 97] ?? '';
    const traits = {
      ...(i < 38 && { repeat_buyers_eu: true }),
      ...(name !== '' && { name }),
      address: { country: COUNTRIES[i % 7] },
      plan: PLANS[i % 3],
      newsletter: i % 4 !== 0,
      email: i % 40 === 0 ? `u${i}@acme.example` : `u${i}@example.org`,
    };
    yield { type: 'identify', userId, traits };
    for (let n = 0; n < (i * 5) % 7; n += 1)
      yield {
        type: 'track',
        userId,
        event: 'Order Completed',
        timestamp: new Date(now - n * DAY - (i % 24) * 3_600_000).toISOString(),
        properties: { total: 10 + ((i * 13 + n * 7) % 90) },
      };
    if (i % 11 === 0) yield { type: 'track', userId, event: 'Refund Issued', properties: { total: 12 } };
  }
}

const { page, problems, stop, ingestUrl } = await launchHeadless({
  config: {
    webhooks: { entries: [{ name: 'CRM', url: 'http://127.0.0.1:9/hook', headers: {}, enabled: true }] },
    sources: [{ name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: false }],
    clock: { speed: 60 },
    audiences: [
      { name: 'High Value Customers', userIds: ['usr_8f21', 'usr_c3f5'], sync: { when: 'hand' }, track: false },
      { name: 'Cart Abandoners 24h', userIds: ['usr_a'], sync: { when: 'hand' }, track: false },
      { name: 'Churn Risk', userIds: ['usr_b'], sync: { when: 'hand' }, track: false },
      { name: 'Beta Testers', userIds: [], sync: { when: 'hand' }, track: false },
    ],
  },
});
await go(page, '#/audiences/new');
await pictures(page, 'rule-empty');
await postBatches(ingestUrl, KEY, shop(2_400, Date.now()));
await go(page, '#/audiences/1');
await go(page, '#/audiences/new');

const condition = async (kind: string, group?: string): Promise<void> => {
  if (group === undefined) await page.getByRole('button', { name: 'Condition', exact: true }).click();
  else await page.getByRole('button', { name: `Add to group ${group}`, exact: true }).click();
  await page.getByRole('menuitem', { name: kind }).click();
};
const part = (id: string) => page.getByRole('treeitem', { name: new RegExp(`^${id} `) });
const trait = async (id: string, path: string, op: string, value: string): Promise<void> => {
  await part(id).getByRole('combobox', { name: 'Trait' }).fill(path);
  await page.keyboard.press('Escape');
  await part(id).getByRole('combobox', { name: 'Comparison' }).selectOption(op);
  await part(id).getByRole('textbox', { name: 'Value' }).fill(value);
};
const event = async (id: string, name: string, times: string, within: number): Promise<void> => {
  await part(id).getByRole('combobox', { name: 'Event' }).fill(name);
  await page.keyboard.press('Escape');
  await part(id).getByRole('textbox', { name: 'Times' }).fill(times);
  await part(id)
    .getByRole('combobox', { name: 'Time' })
    .selectOption(String(within * DAY));
};
await page.getByRole('textbox', { name: 'Name' }).fill('Repeat Buyers (EU)');
await condition('Trait of the user');
await page.keyboard.press('ArrowDown');
await page.waitForTimeout(400);
await pictures(page, 'rule-suggestions', [1440]);
await page.keyboard.press('Escape');
await trait('1', 'address.country', 'is_one_of', 'AT, DE, FR, IT');
await condition('How often an event came');
await event('2', 'Order Completed', '4', 7);
await part('2').getByRole('button', { name: 'Count only calls where' }).click();
await part('2').getByRole('combobox', { name: 'Property' }).fill('properties.total');
await page.keyboard.press('Escape');
await part('2').getByRole('combobox', { name: 'Comparison' }).selectOption('above');
await part('2').getByRole('textbox', { name: 'Value' }).fill('20');
await page.getByRole('button', { name: 'Group', exact: true }).click();
await trait('3a', 'plan', 'is_one_of', 'pro, enterprise');
await condition('Trait of the user', '3');
await trait('3b', 'newsletter', 'is', 'true');
await page.getByRole('button', { name: 'Group', exact: true }).click();
await trait('4a', 'email', 'ends_with', '@acme.example');
await condition('How often an event came', '4');
await event('4b', 'Refund Issued', '1', 30);
await page.getByRole('radiogroup', { name: 'How many of group 4 must be true' }).getByText('None').click();
await page.waitForTimeout(600);
await part('2').getByRole('textbox', { name: 'Times' }).fill('3');
await page.getByRole('textbox', { name: 'User id' }).fill('usr_ae10');
await page.waitForTimeout(1_200);
await pictures(page, 'rule-first');
await part('2').focus();
await page.waitForTimeout(200);
await pictures(page, 'rule-marked', [1440]);
await part('2').getByRole('textbox', { name: 'Times' }).fill('2.5');
await part('4b').getByRole('combobox', { name: 'Event' }).fill('Refund Isued');
await page.keyboard.press('Escape');
await page.getByRole('textbox', { name: 'Name' }).fill('High value customers');
await page.waitForTimeout(500);
await pictures(page, 'rule-errors');
await page.getByRole('textbox', { name: 'Name' }).fill('Repeat Buyers (EU)');
await part('2').getByRole('textbox', { name: 'Times' }).fill('3');

// Import of members
await go(page, '#/audiences/4/import');
await pictures(page, 'import-empty');

/** A file as in the drawing: 1,214 rows with 21 duplicates and 3 bad rows. */
function betaTesters(): string {
  const lines = ['customer_id,email,signed_up'];
  for (let i = 0; i < 1_190; i += 1) {
    const id = `usr_${(0x8f21 + i * 7919).toString(16)}`;
    lines.push(`${i === 4 || i === 700 ? ` ${id}` : id},u${i}@example.org,2026-10-02`);
  }
  lines[3] = lines[3]!.replace('u2@example.org', 'ليلى.حداد@example.com');
  for (let i = 0; i < 21; i += 1)
    lines.splice(96 + i * 40, 0, `usr_${(0x8f21 + (i + 8) * 7919).toString(16)},again@example.org,`);
  lines.splice(213, 0, ',kemi@example.org,2026-10-02');
  lines.splice(401, 0, 'usr_77c1,ivo@example.com');
  lines.splice(876, 0, '"usr_90b3,ivo@example.com,2026-10-02');
  return lines.join('\n');
}
const choose = async (name: string, text: string): Promise<void> => {
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
};
await choose('beta-testers.csv', betaTesters());
await page.getByText('Known to a source').waitFor();
await page.waitForTimeout(1_500);
await pictures(page, 'import-file');
await page.getByRole('radio', { name: /^Bad/ }).click();
await page.getByRole('radio', { name: 'Replace' }).click();
await page.waitForTimeout(400);
await pictures(page, 'import-bad', [1440]);
await choose('colours.csv', 'colour,shape\nred,round\nblue,square');
await page.getByText('No column looks like a user id.').waitFor();
await pictures(page, 'import-no-column');
const latin1 = { name: 'latin1.csv', mimeType: 'text/csv', buffer: Buffer.from([0x69, 0x64, 0x0a, 0xe9]) };
await page.locator('input[type="file"]').setInputFiles(latin1);
await page.getByText('The file is not UTF-8.').waitFor();
await pictures(page, 'import-refused', [1440]);
const many = Array.from({ length: 100_000 }, (_, i) => `usr_${String(i).padStart(8, '0')},n${i}@example.org`);
const hostile = ['<img src=x onerror=alert(1)>,<b>x</b>', 'u\u202Egnp.exe,rtl', `${'W'.repeat(300)},long`, '  ,blank'];
const bad = Array.from({ length: 1_412 }, () => ',nobody@example.org');
await choose('all-customers.csv', ['user_id,email', ...hostile, ...many, ...bad].join('\n'));
await page.getByText('101,416 rows').first().waitFor();
await page.waitForTimeout(1_500);
await pictures(page, 'import-heavy');
await page.getByRole('radio', { name: 'All 101,416' }).click();
await page.getByRole('combobox', { name: 'Order' }).selectOption('file');
await page.waitForTimeout(500);
await pictures(page, 'import-hostile', [1440]);
await page.getByRole('button', { name: /^Import 1/ }).click();
await page.waitForTimeout(300);
await pictures(page, 'import-busy', [1440]);

if ('rule-busy rule-cancelled'.includes(word)) await recountPictures();
console.log(JSON.stringify({ folder, problems }));
await stop();
if ('rule-off trait-off'.includes(word)) await withoutPeople();
process.exit(0);

/** A recount is over in a moment, so each picture has one of its own. */
async function recountPictures(): Promise<void> {
  await postBatches(ingestUrl, KEY, shop(25_000, Date.now()));
  await go(page, '#/audiences/new');
  const times = part('2').getByRole('textbox', { name: 'Times' });
  const cancel = page.getByRole('region', { name: 'Matching people' }).getByRole('button', { name: 'Cancel' });
  await page.getByText(/of \d+,\d+ people/).waitFor();
  let n = 3;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const take = async (theme: string): Promise<void> => {
      n = n === 3 ? 4 : 3;
      await times.fill(String(n));
      await cancel.waitFor({ timeout: 60_000 });
      await page.screenshot({ path: join(folder, `rule-busy-${width}-${theme}.png`) });
      await cancel.waitFor({ state: 'detached', timeout: 60_000 });
    };
    await inBothThemes(page, take, 0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await times.fill('5');
  await cancel.click({ timeout: 60_000 });
  await pictures(page, 'rule-cancelled', [1440]);
}

/** A build whose thread of people ends at once, beside the packages that a build needs. */
function buildWithoutPeople(): string {
  const build = join(root, 'node_modules/.cache/out-without-people');
  cpSync(join(root, 'out'), build, { recursive: true });
  const chunks = join(build, 'main/chunks');
  for (const name of readdirSync(chunks))
    if (name.startsWith('people-worker'))
      writeFileSync(join(chunks, name), 'throw new Error("The thread of people has ended.");');
  return build;
}

async function withoutPeople(): Promise<void> {
  const build = buildWithoutPeople();
  const off = await launchHeadless({ build });
  await go(off.page, '#/audiences/new');
  await off.page.getByRole('button', { name: 'Condition', exact: true }).click();
  await off.page.getByRole('menuitem', { name: 'Trait of the user' }).click();
  await off.page.getByRole('combobox', { name: 'Trait' }).fill('plan');
  await off.page.keyboard.press('Escape');
  await off.page.getByRole('textbox', { name: 'Value' }).fill('pro');
  await off.page.waitForTimeout(2_000);
  await pictures(off.page, 'rule-off');
  await go(off.page, '#/audiences/traits/new');
  await off.page.getByRole('combobox', { name: 'Event' }).fill('Order Completed');
  await off.page.keyboard.press('Escape');
  await off.page.waitForTimeout(2_000);
  await pictures(off.page, 'trait-off', [1440]);
  await off.stop();
  rmSync(build, { recursive: true, force: true });
}
