import { Download } from 'lucide-react';
import type { ImportRow, ImportView } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { Kbd } from '../../../components/tag.tsx';
import { plural } from '../../../lib/format.ts';
import { isApple } from '../../../lib/platform.ts';
import { call } from '../../../platform/connect.ts';
import { saveAndSay } from '../../../stores/saved.ts';
import { showFailure } from '../../../stores/toasts.ts';
import css from './import-members.module.css';
import { badFileName, badRowsText, type ImportMode, importingText, importVerb } from './words.ts';

const WINDOW = 500;

/** Saves the bad rows, leaves, or imports the good ones. */
export function ImportFoot({
  view,
  members,
  mode,
  problem,
  canRun,
  isRunning,
  onCancel,
  onRun,
}: {
  view: ImportView | null;
  /** Members now. */
  members: number;
  mode: ImportMode;
  problem: string | null;
  canRun: boolean;
  isRunning: boolean;
  onCancel: () => void;
  onRun: () => void;
}) {
  const bad = view?.bad ?? 0;
  return (
    <footer className={css.foot} data-region="import-actions">
      {view !== null && bad > 0 && (
        <Button variant="ghost" icon={Download} onClick={() => void saveBadRows(view)}>
          {bad === 1 ? 'Save the bad row' : `Save the ${plural(bad, 'bad row')}`}
        </Button>
      )}
      {problem !== null && (
        <span className={css.problem} role="alert">
          {problem}
        </span>
      )}
      {isRunning && view !== null && (
        <span className="muted small" role="status">
          {importingText(view, members)}
        </span>
      )}
      <span className="spacer" />
      <Button variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <Button variant="primary" disabled={!canRun} onClick={onRun}>
        {view === null || view.state === 'no_column' ? 'Import members' : importVerb(view.good, mode)}{' '}
        <Kbd>{isApple() ? '⌘↵' : 'Ctrl ↵'}</Kbd>
      </Button>
    </footer>
  );
}

async function saveBadRows(view: ImportView): Promise<void> {
  try {
    const rows: ImportRow[] = [];
    while (rows.length < view.bad) {
      const range = { offset: rows.length, limit: WINDOW };
      const page = await call('audiences.importRows', { import: view.import, show: 'bad', order: 'file', ...range });
      if (page.rows.length === 0) break;
      rows.push(...page.rows);
    }
    await saveAndSay(badFileName(view.fileName, view.format), badRowsText(view, rows));
  } catch (error) {
    showFailure('save the bad rows', error);
  }
}
