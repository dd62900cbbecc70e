import type { ShortcutGroup } from '../../../frame/shortcut-list.tsx';

export const RULE_SHORTCUTS: ShortcutGroup = {
  title: 'Rule of an audience',
  keys: [
    ['\u2191 \u2193', 'Previous, next condition'],
    ['Enter', 'Into its fields, Esc back'],
    ['Alt \u2191', 'Condition one place up'],
    ['Alt \u2193', 'Condition one place down'],
    ['Alt \u2192', 'Into a group'],
    ['Alt \u2190', 'Out of its group'],
    ['Backspace', 'Remove the condition'],
    ['Ctrl S', 'Save audience'],
  ],
};
