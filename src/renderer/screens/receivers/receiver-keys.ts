import type { ShortcutGroup } from '../../frame/shortcut-list.tsx';

export const RECEIVER_SHORTCUTS: ShortcutGroup = {
  title: 'Receivers',
  keys: [
    ['\u2191 \u2193', 'Previous, next receiver'],
    ['Enter', 'Into the receiver'],
    ['Alt \u2191', 'Step one place up'],
    ['Alt \u2193', 'Step one place down'],
  ],
};
