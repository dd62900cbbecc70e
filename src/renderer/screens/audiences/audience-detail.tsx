import { CircleStop, Ellipsis, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AudienceRow, SyncRow } from '../../../contract/audiences.ts';
import { Banner } from '../../components/banner.tsx';
import buttonCss from '../../components/button.module.css';
import { Button } from '../../components/button.tsx';
import { Tabs } from '../../components/controls.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Menu } from '../../components/menu.tsx';
import { Badge } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatPercent } from '../../lib/format.ts';
import { type AudienceTab, navigate } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import { removeAudience, resumeSync, startSync, stopSync } from './actions.ts';
import css from './audience-detail.module.css';
import { AudienceDialog } from './audience-dialog.tsx';
import { MembersTab } from './members-tab.tsx';
import { PendingTab } from './pending-tab.tsx';
import { SyncsTab } from './syncs-tab.tsx';
import {
  isRunning,
  isStopped,
  lastSyncText,
  pendingCount,
  progressText,
  syncName,
  syncRoute,
  syncVerb,
  waitText,
} from './words.ts';

/** One audience: what is pending, who is in, and its syncs. */
export function AudienceDetail({
  audience,
  tab,
  onTab,
}: {
  audience: AudienceRow;
  tab: AudienceTab;
  onTab: (tab: AudienceTab) => void;
}) {
  const { name, counts, lastSync, syncs } = audience;
  return (
    <section className={css.detail} aria-label={name} data-region="detail" tabIndex={-1}>
      <Head audience={audience} onMembers={() => onTab('members')} />
      {lastSync !== null && <Progress sync={lastSync} />}
      <Tabs
        className={css.tabs}
        panelClassName={css.panel}
        value={tab}
        items={[
          { value: 'pending', label: 'Pending', extra: formatCount(pendingCount(counts)) },
          { value: 'members', label: 'Members', extra: formatCount(counts.members) },
          { value: 'syncs', label: 'Syncs', extra: formatCount(syncs) },
        ]}
        onChange={onTab}
      >
        {tab === 'pending' && <PendingTab audience={audience} onAllSyncs={() => onTab('syncs')} />}
        {tab === 'members' && <MembersTab audience={audience} />}
        {tab === 'syncs' && <SyncsTab audience={audience} />}
      </Tabs>
    </section>
  );
}

function Head({ audience, onMembers }: { audience: AudienceRow; onMembers: () => void }) {
  const { id, name, property, by, counts, lastSync } = audience;
  const now = useNow();
  return (
    <header className={css.head}>
      <div className={cx('flex-row', css.title)}>
        <h2 className="ellipsis" title={name}>
          <Text>{name}</Text>
        </h2>
        <span className="spacer" />
        <HeadMenu audience={audience} />
        {by === 'hand' ? (
          <Button icon={Pencil} onClick={onMembers}>
            Edit members
          </Button>
        ) : (
          <Button
            icon={Pencil}
            onClick={() => navigate({ screen: 'audiences', audienceId: id, tab: 'pending', page: 'edit' })}
          >
            Edit rule
          </Button>
        )}
        <SyncButton audience={audience} />
      </div>
      <dl className={css.facts}>
        <div>
          <dt>Trait sent</dt>
          <dd className="mono" title={property}>
            {property}
          </dd>
        </div>
        <Fact name="Members" value={formatCount(counts.members)} />
        {counts.toAdd > 0 && <Fact name="To add" tone={toneCss.ok} value={`+${formatCount(counts.toAdd)}`} />}
        {counts.toRemove > 0 && (
          <Fact name="To remove" tone={toneCss.bad} value={`\u2212${formatCount(counts.toRemove)}`} />
        )}
        <Fact name="Last sync" value={lastSyncText(lastSync, now)} />
      </dl>
    </header>
  );
}

const Fact = ({ name, value, tone }: { name: string; value: string; tone?: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className={tone}>{value}</dd>
  </div>
);

function SyncButton({ audience }: { audience: AudienceRow }) {
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
function Progress({ sync }: { sync: SyncRow }) {
  const { expected, delivered, failed } = sync.ledger;
  if (sync.state === 'done') {
    if (failed === 0) return null;
    return (
      <Banner
        tone="bad"
        className={css.banner}
        title={`${syncName(sync)}:`}
        actions={<a href={syncRoute(sync)}>Show them</a>}
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
        <a href={syncRoute(sync)}>Show the sync</a>
      </div>
      <div className={css.bar} aria-hidden="true">
        <i className={css.barDelivered} style={{ width: part(delivered) }} />
        <i className={css.barFailed} style={{ width: part(failed) }} />
      </div>
      {waits !== null && <p className="small secondary">{waits}</p>}
    </div>
  );
}

function HeadMenu({ audience }: { audience: AudienceRow }) {
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const { name, lastSync } = audience;
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
        title="Remove this audience"
        verb="Remove"
        onClose={() => setOpen(null)}
        onConfirm={() => void removeAudience(audience)}
      >
        <p>
          Its members and its syncs are gone. Its messages stay, and the webhooks are not told that anybody has left.
        </p>
      </ConfirmDialog>
    </>
  );
}
