import { Users } from 'lucide-react';
import { Banner } from '../../components/banner.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { cx } from '../../lib/cx.ts';
import type { Draft } from './draft.ts';
import type { DraftLines } from './draft-lines.ts';
import { DryRun } from './dry-run.tsx';
import { PreviewMatrix } from './preview-matrix.tsx';
import css from './preview-pane.module.css';
import { SameByCommand } from './same-by-command.tsx';
import { nothingSentText, sumText } from './send-words.ts';
import type { PreviewState } from './use-preview.ts';
import { noticesText } from './words.ts';

/** What the request would do, before anything goes. */
export function PreviewPane({ draft, read, looked }: { draft: Draft; read: DraftLines; looked: PreviewState }) {
  const { preview, isOld, error, reload } = looked;
  if (preview === null) return <Nothing read={read} error={error} onAgain={reload} />;
  const nothing = nothingSentText(preview);
  return (
    <section
      className={cx(css.pane, isOld && error === null && css.old)}
      aria-label="Preview"
      aria-busy={isOld && error === null}
      data-region="detail"
      tabIndex={-1}
    >
      <header className={css.head}>
        <h2>Preview</h2>
        <span className="muted ellipsis">
          {`${noticesText(preview.notices)}, one per known user and source with the destination on`}
        </span>
      </header>
      {error !== null && (
        <Banner tone="bad" className={css.banner} actions={<TryAgain size="sm" onAgain={reload} />}>
          Could not look through the messages.{' '}
          {isOld ? 'This preview is of earlier lines.' : 'What changed since is not in this preview.'}
        </Banner>
      )}
      {nothing !== null && (
        <Banner tone="warn" className={css.banner}>
          {nothing}
        </Banner>
      )}
      <PreviewMatrix preview={preview} />
      <p className={cx('muted small', css.why)}>{sumText(preview, draft.erase)}</p>
      <div className={css.bottom}>
        <DryRun preview={preview} userIds={read.userIds} isOld={isOld} />
        <SameByCommand draft={draft} userIds={read.userIds} />
      </div>
    </section>
  );
}

function Nothing({ read, error, onAgain }: { read: DraftLines; error: string | null; onAgain: () => void }) {
  if (read.error !== null) return <EmptyState title="There is no preview." />;
  if (read.userIds.length === 0) {
    return (
      <EmptyState icon={Users} title="Paste one or more user ids.">
        The preview shows which sources know them and who is told, before anything goes.
      </EmptyState>
    );
  }
  if (error !== null) {
    return <EmptyState title="Could not look through the messages." actions={<TryAgain onAgain={onAgain} />} />;
  }
  return <EmptyState title="Looking through the stored messages." />;
}
