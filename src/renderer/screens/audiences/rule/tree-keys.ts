/** What a key does in the tree of a rule. Pure. */
import type { KeyboardEvent } from 'react';
import type { DraftNode } from './draft.ts';
import type { Direction } from './edits.ts';

export type TreeAction =
  | { act: 'move'; direction: Direction }
  | { act: 'remove' }
  | { act: 'enter' }
  | { act: 'focus'; key: number };

const MOVES: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

/** Of the part `key`; null for a key that does nothing there. */
export function keyAction(
  event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>,
  nodes: readonly DraftNode[],
  key: number,
): TreeAction | null {
  if (event.ctrlKey || event.metaKey) return null;
  if (event.altKey) {
    const direction = MOVES[event.key];
    return direction === undefined ? null : { act: 'move', direction };
  }
  const at = nodes.findIndex((node) => node.key === key);
  const focus = (node: DraftNode | undefined): TreeAction | null =>
    node === undefined ? null : { act: 'focus', key: node.key };
  switch (event.key) {
    case 'ArrowDown':
      return focus(nodes[at + 1]);
    case 'ArrowUp':
      return focus(nodes[at - 1]);
    case 'Home':
      return focus(nodes[0]);
    case 'End':
      return focus(nodes.at(-1));
    case 'ArrowLeft':
      return focus(nodes.find((node) => node.kind === 'group' && node.of.some((child) => child.key === key)));
    case 'ArrowRight':
    case 'Enter':
      return { act: 'enter' };
    case 'Backspace':
    case 'Delete':
      return { act: 'remove' };
    default:
      return null;
  }
}
