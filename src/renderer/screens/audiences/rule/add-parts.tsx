import { Hash, ListTree, Plus, Tag } from 'lucide-react';
import buttonCss from '../../../components/button.module.css';
import { Button } from '../../../components/button.tsx';
import { Menu, type MenuItem } from '../../../components/menu.tsx';
import { cx } from '../../../lib/cx.ts';
import type { DraftGroup, DraftNode } from './draft.ts';
import { type ConditionKind, canAddCondition, canAddGroup, freeKey, newCondition } from './edits.ts';
import css from './rule-tree.module.css';

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
export function AddButtons(props: AddProps) {
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
export function AddMenu({ id, ...props }: AddProps & { id: string }) {
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
