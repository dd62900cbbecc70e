import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { layerOpen, typesText } from '../../../frame/keys.ts';
import { AddButtons } from './add-parts.tsx';
import type { DraftNode } from './draft.ts';
import { addNode, flatNodes, moveNode } from './edits.ts';
import { GroupPart, type TreeProps } from './rule-parts.tsx';
import css from './rule-tree.module.css';
import { keyAction } from './tree-keys.ts';

/** The place of the outermost group. */
const ROOT = { level: 1, place: 1, of: 1, word: '' };

/**
 * The rule as a tree: arrows go through its parts, Alt and arrows move one, Backspace removes it. Right goes into the
 * fields of a part, Escape back.
 */
export function RuleTree(props: TreeProps) {
  const { draft, sentence, onChange, onRemove } = props;
  const tree = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(draft.key);
  /** What takes the focus after the next drawing: a part, or its first field. */
  const focusNext = useRef<{ key: number; isField: boolean } | null>(null);
  useEffect(() => {
    const wanted = focusNext.current;
    if (wanted === null) return;
    const item = itemOf(tree.current, wanted.key);
    if (item === null) return;
    focusNext.current = null;
    (wanted.isField ? firstField(item) : item)?.focus();
  });
  const nodes = flatNodes(draft);
  const stopKey = nodes.some(({ key }) => key === stop) ? stop : draft.key;

  const add = (inGroup: number, node: DraftNode) => {
    const target = node.kind === 'group' ? node.of[0]! : node;
    focusNext.current = { key: target.key, isField: true };
    onChange(addNode(draft, inGroup, node));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const item = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]');
    if (item === null || event.defaultPrevented) return;
    const key = Number(item.dataset.part);
    if (event.target !== item) {
      if (event.key === 'Escape' && !layerOpen()) {
        event.stopPropagation();
        item.focus();
      }
      if (typesText(event.target) || !event.altKey) return;
    }
    const next = keyAction(event, nodes, key);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (next.act === 'move') {
      const moved = moveNode(draft, key, next.direction);
      focusNext.current = { key, isField: false };
      if (moved !== draft) onChange(moved);
    } else if (next.act === 'remove') {
      if (key === draft.key) return;
      const at = nodes.findIndex((node) => node.key === key);
      focusNext.current = { key: nodes[at - 1]!.key, isField: false };
      onRemove(key);
    } else if (next.act === 'enter') firstField(item)?.focus();
    else itemOf(tree.current, next.key)?.focus();
  };
  return (
    <div className={css.frame}>
      <div ref={tree} role="tree" aria-label={sentence} className={css.tree} onKeyDown={onKeyDown} tabIndex={-1}>
        <GroupPart {...props} {...ROOT} node={draft} stop={stopKey} onStop={setStop} onAdd={add} />
      </div>
      {draft.of.length === 0 && <p className={css.empty}>Add a condition. Without one nobody is in.</p>}
      <AddButtons draft={draft} group={draft} onAdd={add} />
    </div>
  );
}

const itemOf = (tree: HTMLElement | null, key: number): HTMLElement | null =>
  tree?.querySelector<HTMLElement>(`[role="treeitem"][data-part="${key}"]`) ?? null;

const firstField = (item: HTMLElement): HTMLElement | null =>
  item.querySelector<HTMLElement>('input, select, [role="radio"][tabindex="0"], button');
