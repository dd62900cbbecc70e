import type { ShortcutGroup } from '../shortcut-list.tsx';

export const DEMO_SHORTCUTS: ShortcutGroup = {
  title: 'Demo',
  keys: [
    ['D', 'Start the demo, on the first page'],
    ['N', 'Next step of the tour'],
    ['Shift N', 'Step before'],
  ],
};
