import { MatchingPeople } from './matching-people.tsx';
import css from './rule-editor.module.css';
import { SampleMembers } from './sample-members.tsx';
import type { RuleCount } from './use-count.ts';
import { UserCheck } from './user-check.tsx';

/** Beside the rule: how many are in, five of them, and whether one user is. */
export function EditorPanel({
  count,
  marked,
  onMark,
  onGo,
}: {
  count: RuleCount;
  marked: number | null;
  onMark: (key: number | null) => void;
  onGo: (key: number) => void;
}) {
  const { counted, state } = count;
  return (
    <aside className={css.panel} aria-label="Members by this rule" data-region="rule-members">
      <MatchingPeople count={count} />
      <SampleMembers counted={counted} isStale={state !== 'ready'} marked={marked} onMark={onMark} onGo={onGo} />
      {counted !== null && <UserCheck counted={counted} onMark={onMark} onGo={onGo} />}
    </aside>
  );
}
