import { Hash, ListTree, Plus, Tag, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import buttonCss from '../../../components/button.module.css';
import { Button, IconButton } from '../../../components/button.tsx';
import { Seg } from '../../../components/controls.tsx';
import { Menu, type MenuItem } from '../../../components/menu.tsx';
import { layerOpen, typesText } from '../../../frame/keys.ts';
import { cx } from '../../../lib/cx.ts';
import { formatCount } from '../../../lib/format.ts';
import { ConditionFields, type FieldSuggestions } from './condition-fields.tsx';
import type { DraftCondition, DraftGroup, DraftNode } from './draft.ts';
import {
  addNode,
  type ConditionKind,
  canAddCondition,
  canAddGroup,
  type Direction,
  flatNodes,
  freeKey,
  moveNode,
  newCondition,
  nodeIds,
  replaceNode,
} from './edits.ts';
import { PartId } from './part-id.tsx';
import css from './rule-tree.module.css';
import type { ProblemView } from './test-fields.tsx';
import type { Counted } from './use-count.ts';
import { joinWord, MATCH_OPTIONS, matchText, nodeText } from './words.ts';

interface TreeProps {
  draft: DraftGroup;
  /** The rule as a sentence: its accessible name. */
  sentence: string;
  /** The last count, which is of this draft when `isCurrent`; null before the first. */
  counted: Counted | null;
  isCurrent: boolean;
  suggestions: FieldSuggestions;
  shown: ProblemView;
  /** The part that the panel points at. */
  marked: number | null;
  /** Tells which part is looked at here. */
  onMark: (key: number | null) => void;
  onChange: (draft: DraftGroup) => void;
  onRemove: (key: number) => void;
}

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
    <div ref={tree} role="tree" aria-label={sentence} className={css.tree} onKeyDown={onKeyDown} tabIndex={-1}>
      <GroupPart
        {...props}
        node={draft}
        level={1}
        place={1}
        of={1}
        word=""
        stop={stopKey}
        onStop={setStop}
        onAdd={add}
      />
    </div>
  );
}

type Action =
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

function keyAction(event: KeyboardEvent, nodes: readonly DraftNode[], key: number): Action | null {
  if (event.ctrlKey || event.metaKey) return null;
  if (event.altKey) {
    const direction = MOVES[event.key];
    return direction === undefined ? null : { act: 'move', direction };
  }
  const at = nodes.findIndex((node) => node.key === key);
  const focus = (node: DraftNode | undefined): Action | null =>
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

const itemOf = (tree: HTMLElement | null, key: number): HTMLElement | null =>
  tree?.querySelector<HTMLElement>(`[role="treeitem"][data-part="${key}"]`) ?? null;

const firstField = (item: HTMLElement): HTMLElement | null =>
  item.querySelector<HTMLElement>('input, select, [role="radio"][tabindex="0"], button');

interface PartProps extends TreeProps {
  level: number;
  place: number;
  of: number;
  /** Between this part and the one before it. */
  word: string;
  stop: number;
  onStop: (key: number) => void;
  onAdd: (inGroup: number, node: DraftNode) => void;
}

/** What every part has as an item of the tree. */
function itemProps({ level, place, of, stop, onStop, onMark }: PartProps, { key }: DraftNode, label: string) {
  return {
    role: 'treeitem' as const,
    'aria-level': level,
    'aria-posinset': place,
    'aria-setsize': of,
    'aria-label': label,
    'data-part': key,
    tabIndex: key === stop ? 0 : -1,
    onFocus: (event: React.FocusEvent) => {
      event.stopPropagation();
      onStop(key);
      onMark(key);
    },
    onBlur: () => onMark(null),
    onMouseOver: (event: React.MouseEvent) => {
      event.stopPropagation();
      onMark(key);
    },
    onMouseLeave: () => onMark(null),
  };
}

/** For how many people a part holds, as it was last counted. */
function countOf(counted: Counted | null, { key }: DraftNode): string {
  if (counted === null) return '';
  const { view, draft } = counted;
  if (key === draft.key) return formatCount(view.members);
  const id = nodeIds(draft).get(key);
  const people = view.nodes.find((node) => node.id === id)?.people;
  return people === undefined ? '' : formatCount(people);
}

function GroupPart({ node, ...props }: PartProps & { node: DraftGroup }) {
  const { draft, counted, level, word, marked, isCurrent, onChange, onRemove, onAdd } = props;
  const isRoot = node.key === draft.key;
  const id = nodeIds(draft).get(node.key) ?? '';
  const count = countOf(counted, node);
  return (
    <div
      {...itemProps(
        props,
        node,
        `${isRoot ? '' : `${id}: `}${nodeText(node)}${count === '' ? '' : `, ${count} people`}`,
      )}
      className={cx(css.group, !isRoot && css.inner)}
    >
      {!isRoot && <span className={css.word}>{word}</span>}
      <div className={cx(css.frame, !isRoot && marked === node.key && css.marked)}>
        <div className={css.head}>
          {!isRoot && <PartId>{id}</PartId>}
          <Seg
            label={isRoot ? 'How many must be true' : `How many of group ${id} must be true`}
            value={node.match}
            options={MATCH_OPTIONS}
            className={css.match}
            onChange={(match) => onChange(replaceNode(draft, { ...node, match }))}
          />
          <span className="muted nowrap">{matchText(node.match)}</span>
          <span className="spacer" />
          {!isRoot && <AddMenu draft={draft} group={node} id={id} onAdd={onAdd} />}
          <span className={cx(css.count, isRoot && css.result, !isCurrent && css.stale)}>{count}</span>
          {isRoot ? (
            <span className={css.gap} />
          ) : (
            <IconButton size="sm" label={`Remove group ${id}`} icon={X} onClick={() => onRemove(node.key)} />
          )}
        </div>
        {node.of.length === 0 && <p className={css.empty}>Add a condition. Without one nobody is in.</p>}
        {node.of.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: the children of a tree item
          <div role="group">
            {node.of.map((child, index) => {
              const inner = {
                ...props,
                level: level + 1,
                place: index + 1,
                of: node.of.length,
                word: index === 0 ? '' : joinWord(node.match),
              };
              return child.kind === 'group' ? (
                <GroupPart key={child.key} {...inner} node={child} />
              ) : (
                <ConditionPart key={child.key} {...inner} node={child} />
              );
            })}
          </div>
        )}
        {isRoot && <AddButtons draft={draft} group={node} onAdd={onAdd} />}
      </div>
    </div>
  );
}

function ConditionPart({ node, ...props }: PartProps & { node: DraftCondition }) {
  const { draft, counted, word, marked, isCurrent, suggestions, shown, onChange, onRemove } = props;
  const id = nodeIds(draft).get(node.key) ?? '';
  const count = countOf(counted, node);
  return (
    <div
      {...itemProps(props, node, `${id}: ${nodeText(node)}${count === '' ? '' : `, ${count} people`}`)}
      className={cx(css.condition, marked === node.key && css.marked)}
    >
      <span className={css.word}>{word}</span>
      <PartId>{id}</PartId>
      <div className={css.parts}>
        <ConditionFields
          node={node}
          suggestions={suggestions}
          shown={shown}
          freeKey={() => freeKey(draft)}
          onChange={(next) => onChange(replaceNode(draft, next))}
        />
      </div>
      <span className={cx(css.count, !isCurrent && css.stale)}>{count}</span>
      <IconButton size="sm" label={`Remove condition ${id}`} icon={X} onClick={() => onRemove(node.key)} />
    </div>
  );
}

interface AddProps {
  draft: DraftGroup;
  group: DraftGroup;
  onAdd: (inGroup: number, node: DraftNode) => void;
}

const conditionItems = ({ draft, group, onAdd }: AddProps): MenuItem[] => {
  const add = (kind: ConditionKind) => onAdd(group.key, newCondition(kind, freeKey(draft)));
  return [
    { label: 'Trait of the user', icon: Tag, run: () => add('trait') },
    { label: 'How often an event came', icon: Hash, run: () => add('event') },
  ];
};

function addGroup({ draft, group, onAdd }: AddProps): void {
  const key = freeKey(draft);
  onAdd(group.key, { kind: 'group', key, match: 'any', of: [newCondition('trait', key + 1)] });
}

/** Under the outermost group. */
function AddButtons(props: AddProps) {
  const { draft, group } = props;
  return (
    <div className={css.add}>
      <Menu
        trigger={
          <Button size="sm" variant="ghost" icon={Plus} disabled={!canAddCondition(draft)}>
            Condition
          </Button>
        }
        items={conditionItems(props)}
      />
      <Button
        size="sm"
        variant="ghost"
        icon={Plus}
        disabled={!canAddGroup(draft, group.key)}
        onClick={() => addGroup(props)}
      >
        Group
      </Button>
    </div>
  );
}

/** In the head of an inner group. */
function AddMenu({ id, ...props }: AddProps & { id: string }) {
  const { draft, group } = props;
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          className={cx(buttonCss.button, buttonCss.ghost, buttonCss.small, buttonCss.square)}
          aria-label={`Add to group ${id}`}
          disabled={!canAddCondition(draft)}
        >
          <Plus className="icon" aria-hidden="true" />
        </button>
      }
      items={[
        ...conditionItems(props),
        { label: 'Group', icon: ListTree, disabled: !canAddGroup(draft, group.key), run: () => addGroup(props) },
      ]}
    />
  );
}
