import { finishedOf } from '../../contract/counts.ts';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Text } from '../components/text.tsx';
import { plural } from '../lib/format.ts';
import { useRecords } from '../stores/records.ts';
import { switchTo } from './use-workspaces.ts';
import css from './workspace-dialogs.module.css';

/** Says what closing this workspace means before the other one opens. */
export function SwitchDialog({ folder, onClose }: { folder: string; onClose: () => void }) {
  const name = useRecords((state) => state.workspace?.name ?? 'this workspace');
  const waiting = useRecords(({ status }) => (status === undefined ? 0 : status.total - finishedOf(status.counts)));
  return (
    <ConfirmDialog
      open
      danger={false}
      title="Open another workspace"
      verb="Open"
      onConfirm={() => void switchTo(folder)}
      onClose={onClose}
    >
      <div className={css.lines}>
        <p className="mono">
          <Text ltr>{folder}</Text>
        </p>
        <p>
          Hookbench closes <Text>{name}</Text> first. Nothing is received or sent there until you open it again.
          {waiting > 0 && ` ${plural(waiting, 'message waits', 'messages wait')} in it.`}
        </p>
      </div>
    </ConfirmDialog>
  );
}
