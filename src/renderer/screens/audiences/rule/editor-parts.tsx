/** Parts that the editors of a rule and of a new trait share. */
import type { ReactNode } from 'react';
import type { SyncPlan } from '../../../../contract/audiences.ts';
import { Seg } from '../../../components/controls.tsx';
import { PLANS, planOf, planValue } from '../words.ts';
import css from './rule-editor.module.css';

const SYNC_PLANS = PLANS.map(({ value, label }) => ({ value, label: value === 'hand' ? 'By hand' : label }));

/** When it is synced. */
export const SyncBar = ({ sync, onSync }: { sync: SyncPlan; onSync: (sync: SyncPlan) => void }) => (
  <div className={css.syncBar}>
    <h3>Sync</h3>
    <span className="spacer" />
    <Seg
      label="Sync"
      value={planValue(sync)}
      options={SYNC_PLANS}
      className={css.plan}
      onChange={(next) => onSync(planOf(next))}
    />
  </div>
);

/** What saving does, or why it failed, beside the buttons. */
export const EditorFoot = ({
  error,
  about,
  children,
}: {
  error: string | null;
  about: string;
  children: ReactNode;
}) => (
  <footer className={css.foot} data-region="rule-actions">
    <span className={error === null ? css.state : css.problem} role={error === null ? undefined : 'alert'}>
      {error ?? about}
    </span>
    <div className={css.actions}>{children}</div>
  </footer>
);
