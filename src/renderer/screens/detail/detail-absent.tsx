import { X } from 'lucide-react';
import { IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import type { LoadedDetail } from '../../message/use-detail.ts';
import css from './detail.module.css';

/** Shown in place of a message whose row is not known. */
export function Absent({ loaded, onClose }: { loaded: LoadedDetail; onClose: () => void }) {
  const { phase, error, reload } = loaded;
  return (
    <article className={css.detail} aria-label="Message detail" aria-busy={phase === 'loading'}>
      <header className={css.head} data-region="detail">
        <div className={css.titleRow}>
          {phase === 'loading' ? (
            <div className={css.skeleton} style={{ width: 200, height: 20 }} />
          ) : (
            <h2 className={css.title}>Message</h2>
          )}
          <span className="spacer" />
          <IconButton label="Close detail" icon={X} onClick={onClose} />
        </div>
      </header>
      {phase === 'absent' && <EmptyState title={error ?? ''} />}
      {phase === 'failed' && <ReadFailed error={error} onRetry={reload} />}
    </article>
  );
}

export const ReadFailed = ({ error, onRetry }: { error: string | null; onRetry: () => void }) => (
  <EmptyState title="The message could not be read." actions={<TryAgain onAgain={onRetry} />}>
    {error}
  </EmptyState>
);
