import type { ShortcutGroup } from '../../frame/shortcut-list.tsx';

export const DELETION_SHORTCUTS: ShortcutGroup = {
  title: 'Deletions',
  keys: [
    ['\u2191 \u2193', 'Previous, next request'],
    ['N', 'New request'],
    ['[ ]', 'Previous, next notice of the dry run'],
    ['Ctrl Enter', 'Send the request'],
    ['Ctrl Shift Enter', 'To the dry run'],
  ],
};
