import { CopyButton } from '../../../components/copy-button.tsx';
import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import { useRecords } from '../../../stores/records.ts';
import { Card } from '../parts.tsx';
import { filesOf, pathIn } from './files.ts';
import css from './privacy.module.css';

/** Where this workspace is kept. */
export function FilesCard() {
  const workspace = useRecords((state) => state.workspace);
  const hasAuthority = useRecords((state) => (state.status?.https.authority ?? null) !== null);
  const hasIndex = useRecords((state) => (state.search?.bytes ?? 0) > 0);
  if (workspace === null) return null;
  const { folder } = workspace;
  return (
    <Card title="Files" note="readable by you alone on macOS and Linux">
      <div className={cx('flex-row', css.folder)}>
        <span className="mono ellipsis" title={folder}>
          <Text ltr>{folder}</Text>
        </span>
        <CopyButton text={folder} label="Copy the workspace folder" />
      </div>
      <ul className={css.rows} aria-label="Files of the workspace">
        {filesOf({ ...workspace, hasAuthority, hasIndex }).map(({ name, says }) => (
          <li key={name}>
            <span className="mono ellipsis">{name}</span>
            <span className="secondary">{says}</span>
            <CopyButton text={pathIn(folder, name)} label={`Copy the path of ${name}`} />
          </li>
        ))}
      </ul>
      <p className="muted small">
        Theme, column widths and other view settings are kept by this window, not in the folder. Exports lie where you
        save them.
      </p>
    </Card>
  );
}
