import { Pencil } from 'lucide-react';
import type { AudienceRow } from '../../../contract/audiences.ts';
import { Button } from '../../components/button.tsx';
import { Tabs } from '../../components/controls.tsx';
import toneCss from '../../components/tone.module.css';
import { formatCount } from '../../lib/format.ts';
import { type AudienceTab, navigate } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import css from './audience-detail.module.css';
import { HeadMenu, Progress, SyncButton } from './detail-head.tsx';
import { Fact, FactsHead } from './facts-head.tsx';
import { MembersTab } from './members-tab.tsx';
import { PendingTab } from './pending-tab.tsx';
import { SyncsTab } from './syncs-tab.tsx';
import { knowsMembers, lastSyncText, membersText, pendingCount } from './words.ts';

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
          { value: 'members', label: 'Members', extra: knowsMembers(audience) ? formatCount(counts.members) : '' },
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
  const { id, by, counts, lastSync } = audience;
  const now = useNow();
  const edit =
    by === 'hand'
      ? { verb: 'Edit members', run: onMembers }
      : {
          verb: 'Edit rule',
          run: () => navigate({ screen: 'audiences', audienceId: id, tab: 'pending', page: 'edit' }),
        };
  return (
    <FactsHead
      audience={audience}
      actions={
        <>
          <HeadMenu audience={audience} />
          <Button icon={Pencil} onClick={edit.run}>
            {edit.verb}
          </Button>
          <SyncButton audience={audience} />
        </>
      }
    >
      <Fact name="Members">{membersText(audience)}</Fact>
      {counts.toAdd > 0 && (
        <Fact name="To add" tone={toneCss.ok}>
          {`+${formatCount(counts.toAdd)}`}
        </Fact>
      )}
      {counts.toRemove > 0 && (
        <Fact name="To remove" tone={toneCss.bad}>
          {`\u2212${formatCount(counts.toRemove)}`}
        </Fact>
      )}
      <Fact name="Last sync">{lastSyncText(lastSync, now)}</Fact>
    </FactsHead>
  );
}
