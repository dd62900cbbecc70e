import type { ShortcutGroup } from '../../frame/shortcuts-dialog.tsx';

export const AUDIENCE_SHORTCUTS: ShortcutGroup = {
  title: 'Audiences',
  keys: [
    ['\u2191 \u2193', 'Previous, next audience'],
    ['[ ]', 'Previous, next call of the dry run'],
    ['Ctrl Enter', 'Sync'],
    ['Ctrl Shift Enter', 'To the dry run'],
  ],
};
