import { X } from 'lucide-react';
import type { FocusEvent, MouseEvent } from 'react';
import { IconButton } from '../../../components/button.tsx';
import { Seg } from '../../../components/controls.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatCount } from '../../../lib/format.ts';
import { AddMenu } from './add-parts.tsx';
import { ConditionFields, type FieldSuggestions } from './condition-fields.tsx';
import type { DraftCondition, DraftGroup, DraftNode } from './draft.ts';
import { freeKey, nodeIds, replaceNode } from './edits.ts';
import { PartId } from './part-id.tsx';
import css from './rule-tree.module.css';
import type { ProblemView } from './test-fields.tsx';
import type { Counted } from './use-count.ts';
import { joinWord, MATCH_OPTIONS, matchText, nodeText } from './words.ts';

export interface TreeProps {
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
    'aria-description': label,
    'data-part': key,
    tabIndex: key === stop ? 0 : -1,
    onFocus: (event: FocusEvent) => {
      event.stopPropagation();
      onStop(key);
      onMark(key);
    },
    onBlur: () => onMark(null),
    onMouseOver: (event: MouseEvent) => {
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

/** The head of a group, and its parts. The outermost group has its frame around the whole tree. */
export function GroupPart({ node, ...props }: PartProps & { node: DraftGroup }) {
  const { draft, word, marked } = props;
  if (node.key === draft.key) {
    return (
      <>
        <GroupHead {...props} node={node} />
        <GroupParts {...props} node={node} />
      </>
    );
  }
  return (
    <div className={css.inner}>
      <span className={css.word} aria-hidden="true">
        {word}
      </span>
      <div className={cx(css.frame, marked === node.key && css.marked)}>
        <GroupHead {...props} node={node} />
        <GroupParts {...props} node={node} />
      </div>
    </div>
  );
}

function GroupHead({ node, ...props }: PartProps & { node: DraftGroup }) {
  const { draft, counted, isCurrent, onChange, onRemove, onAdd } = props;
  const isRoot = node.key === draft.key;
  const id = nodeIds(draft).get(node.key) ?? '';
  const count = countOf(counted, node);
  const text = `${isRoot ? '' : `${id}: `}${nodeText(node)}${count === '' ? '' : `, ${count} people`}`;
  return (
    <div {...itemProps(props, node, text)} className={css.head}>
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
  );
}

export function GroupParts({ node, ...props }: PartProps & { node: DraftGroup }) {
  if (node.of.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the children of a tree item
    <div role="group">
      {node.of.map((child, index) => {
        const inner = {
          ...props,
          level: props.level + 1,
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
      <span className={css.word} aria-hidden="true">
        {word}
      </span>
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
