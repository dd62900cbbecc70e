/** docs/interface.md lists the shortcuts that the interface has, in their order. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SCREENS, SHORTCUTS } from '../../../src/renderer/app.tsx';
import { shortcutGroups } from '../../../src/renderer/frame/shortcut-list.tsx';

const PAGE = '../../../docs/interface.md';
const TABLE = /(?<=\n## Shortcuts\n.*?\n\| keys \| do \|\n\|---\|---\|\n)(?:\|.*\n)*/s;

const rows = shortcutGroups(SCREENS, SHORTCUTS).flatMap(({ title, keys }) => [
  `| **${title}** | |`,
  ...keys.map(([key, action]) => `| ${key} | ${action} |`),
]);

it('lists every shortcut; -u writes them there', async () => {
  const page = readFileSync('docs/interface.md', 'utf8');
  expect(page).toMatch(TABLE);
  await expect(page.replace(TABLE, () => `${rows.join('\n')}\n`)).toMatchFileSnapshot(PAGE);
});
