import { Pencil } from 'lucide-react';
import type { AudienceRow } from '../../../contract/audiences.ts';
import { Button } from '../../components/button.tsx';
import { Tabs } from '../../components/controls.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { type AudienceTab, navigate } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './audience-detail.module.css';
import { Fact, HeadMenu, Progress, SyncButton } from './detail-head.tsx';
import { MembersTab } from './members-tab.tsx';
import { PendingTab } from './pending-tab.tsx';
import { SyncsTab } from './syncs-tab.tsx';
import { lastSyncText, pendingCount } from './words.ts';

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
