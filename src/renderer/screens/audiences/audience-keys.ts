import type { ShortcutGroup } from '../../frame/shortcut-list.tsx';

export const AUDIENCE_SHORTCUTS: ShortcutGroup = {
  title: 'Audiences',
  keys: [
    ['\u2191 \u2193', 'Previous, next audience'],
    ['[ ]', 'Previous, next call of the dry run or of a sync'],
    ['Ctrl Enter', 'Sync'],
    ['Ctrl Shift Enter', 'To the dry run'],
    ['S', 'Stop or resume the shown sync'],
    ['Ctrl S', 'Save trait'],
  ],
};
