import { Seg } from '../../components/controls.tsx';
import css from './members-bar.module.css';
import type { MembersBy } from './rule/drafts.ts';

const MEMBERS_BY: ReadonlyArray<{ value: MembersBy; label: string }> = [
  { value: 'rule', label: 'By rule' },
  { value: 'hand', label: 'By hand' },
  { value: 'import', label: 'Import' },
];

/** Where the members of an audience come from. */
export const MembersBar = ({
  by,
  without = [],
  onBy,
}: {
  by: MembersBy;
  /** What cannot be chosen: a list cannot become a rule, nor a rule a list. */
  without?: readonly MembersBy[];
  onBy: (by: MembersBy) => void;
}) => (
  <div className={css.bar}>
    <h3>Members</h3>
    <span className="spacer" />
    <Seg
      label="Members"
      value={by}
      options={MEMBERS_BY.map((one) => ({ ...one, disabled: without.includes(one.value) }))}
      className={css.by}
      onChange={onBy}
    />
  </div>
);
