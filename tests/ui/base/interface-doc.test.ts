/** docs/interface.md lists the shortcuts that the interface has, in their order. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SCREENS, SHORTCUTS } from '../../../src/renderer/app.tsx';
import { shortcutGroups } from '../../../src/renderer/frame/shortcuts-dialog.tsx';

const written = shortcutGroups(SCREENS, SHORTCUTS).flatMap(({ title, keys }) => [
  `| **${title}** | |`,
  ...keys.map(([key, action]) => `| ${key} | ${action} |`),
]);

it('lists every shortcut', () => {
  const text = readFileSync('docs/interface.md', 'utf8');
  const table = text.slice(text.indexOf('## Shortcuts')).split('\n');
  expect(table.filter((line) => line.startsWith('| ') && !line.startsWith('| keys'))).toEqual(written);
});
