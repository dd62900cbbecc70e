import type { DraftGroup } from './draft.ts';
import { MatchingPeople } from './matching-people.tsx';
import css from './rule-editor.module.css';
import { SampleMembers } from './sample-members.tsx';
import type { RuleCount } from './use-count.ts';
import { UserCheck } from './user-check.tsx';

/** Beside the rule: how many are in, five of them, and whether one user is. */
export function EditorPanel({
  count,
  draft,
  marked,
  onMark,
  onGo,
}: {
  count: RuleCount;
  draft: DraftGroup;
  marked: number | null;
  onMark: (key: number | null) => void;
  onGo: (key: number) => void;
}) {
  const isStale = count.state !== 'ready';
  const counted = draft.of.length === 0 ? null : count.counted;
  return (
    <aside className={css.panel} aria-label="Members by this rule" data-region="rule-members">
      <MatchingPeople count={count} />
      <SampleMembers counted={counted} isStale={isStale} marked={marked} onMark={onMark} onGo={onGo} />
      {counted !== null && <UserCheck counted={counted} onMark={onMark} onGo={onGo} />}
    </aside>
  );
}
