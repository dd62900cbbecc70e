import { CircleStop, Ellipsis, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AudienceRow, SyncRow } from '../../../contract/audiences.ts';
import { Banner } from '../../components/banner.tsx';
import buttonCss from '../../components/button.module.css';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Menu } from '../../components/menu.tsx';
import { Badge } from '../../components/tag.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatPercent } from '../../lib/format.ts';
import { removeAudience, resumeSync, startSync, stopSync } from './actions.ts';
import css from './audience-detail.module.css';
import { AudienceDialog } from './audience-dialog.tsx';
import { isRunning, isStopped, pendingCount, progressText, syncName, syncRoute, syncVerb, waitText } from './words.ts';

/** Starts the next sync, or stops or resumes the newest one. */
export function SyncButton({ audience }: { audience: AudienceRow }) {
  const { lastSync, counts } = audience;
  if (isRunning(lastSync)) {
    return (
      <Button icon={CircleStop} onClick={() => void stopSync(lastSync)}>
        Stop
      </Button>
    );
  }
  if (isStopped(lastSync)) {
    return (
      <Button variant="primary" icon={Play} onClick={() => void resumeSync(lastSync)}>
        Resume
      </Button>
    );
  }
  return (
    <Button
      variant="primary"
      icon={RefreshCw}
      disabled={pendingCount(counts) === 0}
      onClick={() => void startSync(audience)}
    >
      {syncVerb(audience)}
    </Button>
  );
}

/** How far the newest sync is, while it is not done; then whether calls of it failed. */
export function Progress({ sync, isTrait = false }: { sync: SyncRow; isTrait?: boolean }) {
  const { expected, delivered, failed } = sync.ledger;
  if (sync.state === 'done') {
    if (failed === 0) return null;
    return (
      <Banner
        tone="bad"
        className={css.banner}
        title={`${syncName(sync)}:`}
        actions={<a href={syncRoute(sync, isTrait)}>Show them</a>}
      >
        {`${formatCount(failed)} of ${formatCount(expected ?? 0)} calls failed.`}
      </Banner>
    );
  }
  const waits = waitText(sync);
  const part = (n: number) => (expected === null || expected === 0 ? '0%' : `${(n / expected) * 100}%`);
  return (
    <div className={css.progress} role="status">
      <div className="flex-row">
        <Badge tone={sync.state === 'stopped' ? 'quiet' : 'accent'}>
          <Glyph name={sync.state === 'stopped' ? 'stopped' : 'delivering'} />
          {syncName(sync)}
        </Badge>
        <span className="secondary">{progressText(sync)}</span>
        <span className="spacer" />
        {expected !== null && <span className="muted">{formatPercent(delivered + failed, expected)} settled</span>}
        <a href={syncRoute(sync, isTrait)}>Show the sync</a>
      </div>
      <div className={css.bar} aria-hidden="true">
        <i className={css.barDelivered} style={{ width: part(delivered) }} />
        <i className={css.barFailed} style={{ width: part(failed) }} />
      </div>
      {waits !== null && <p className="small secondary">{waits}</p>}
    </div>
  );
}

/** What is rarely done with an audience or a trait. */
export function HeadMenu({ audience }: { audience: AudienceRow }) {
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const { name, lastSync, kind } = audience;
  const isTrait = kind === 'trait';
  return (
    <>
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            className={cx(buttonCss.button, buttonCss.ghost, buttonCss.square)}
            aria-label={`More for ${name}`}
          >
            <Ellipsis className="icon icon-large" aria-hidden="true" />
          </button>
        }
        items={[
          { label: 'Edit name and property', icon: Pencil, run: () => setOpen('edit') },
          {
            label: 'Remove',
            icon: Trash2,
            danger: true,
            disabled: isRunning(lastSync),
            run: () => setOpen('remove'),
          },
        ]}
      />
      {open === 'edit' && <AudienceDialog audience={audience} onClose={() => setOpen(null)} />}
      <ConfirmDialog
        open={open === 'remove'}
        title={isTrait ? 'Remove this computed trait' : 'Remove this audience'}
        verb="Remove"
        onClose={() => setOpen(null)}
        onConfirm={() => void removeAudience(audience)}
      >
        <p>
          {isTrait
            ? 'Its syncs are gone. Its messages stay, and the webhooks keep the values that they were told.'
            : 'Its members and its syncs are gone. Its messages stay, and the webhooks are not told that anybody has left.'}
        </p>
      </ConfirmDialog>
    </>
  );
}
