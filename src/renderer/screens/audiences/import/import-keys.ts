import type { ShortcutGroup } from '../../../frame/shortcut-list.tsx';

export const IMPORT_SHORTCUTS: ShortcutGroup = {
  title: 'Import of members',
  keys: [
    ['Ctrl V', 'Read what was copied'],
    ['Ctrl Enter', 'Import'],
  ],
};
