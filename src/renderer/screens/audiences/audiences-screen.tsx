import { Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AudienceRow, AudiencesView } from '../../../contract/audiences.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { layerOpen } from '../../frame/keys.ts';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { useRecords } from '../../stores/records.ts';
import { type AudienceTab, navigate, type Route, useRoute } from '../../stores/route.ts';
import { startSync } from './actions.ts';
import { AudienceDetail } from './audience-detail.tsx';
import { AudienceDialog } from './audience-dialog.tsx';
import { AudienceList } from './audience-list.tsx';
import css from './audiences-screen.module.css';
import { ImportMembers } from './import/import-members.tsx';
import { NextSync } from './next-sync.tsx';
import { NEW_DRAFT, setDraft, useDraft } from './rule/drafts.ts';
import { EditAudience, NewAudience } from './rule/edit-audience.tsx';
import { SyncPage } from './sync/sync-page.tsx';
import { isRunning, isStopped, pendingCount } from './words.ts';

/** Who gets an identify call, what the next sync sends, and the syncs so far. */
export default function AudiencesScreen() {
  const view = useRecords((state) => state.audiences);
  const [isAdding, setAdding] = useState(false);
  return (
    <Screen title="Audiences" sub="Membership changes are delivered as identify calls" actions={<SaveState />}>
      {view !== undefined && <Audiences view={view} onNew={() => setAdding(true)} />}
      {isAdding && (
        <AudienceDialog
          onClose={() => setAdding(false)}
          onSaved={({ id }) => navigate({ screen: 'audiences', audienceId: id, tab: 'pending' })}
          onByRule={(name) => {
            setDraft('new', { ...NEW_DRAFT, name });
            navigate(NEW_BY_RULE);
          }}
        />
      )}
    </Screen>
  );
}

const show = (audienceId: number, tab: AudienceTab): void =>
  navigate({ screen: 'audiences', audienceId, tab }, { replace: true });

const NO_ROUTE: Extract<Route, { screen: 'audiences' }> = { screen: 'audiences', audienceId: null, tab: 'pending' };
const NEW_BY_RULE = { screen: 'audiences', audienceId: null, tab: 'pending', page: 'edit' } as const;

function Audiences({ view, onNew }: { view: AudiencesView; onNew: () => void }) {
  const route = useRoute();
  const { audienceId, tab, traits, sync, page = null } = route.screen === 'audiences' ? route : NO_ROUTE;
  const shown = audienceId === null ? view.audiences[0] : view.audiences.find(({ id }) => id === audienceId);
  const isNew = page === 'edit' && audienceId === null && !traits;
  const wanted = traits || isNew ? undefined : shown;
  useSyncKeys(page === null ? wanted : undefined);
  const draft = useDraft('new');
  return (
    <div className={css.three}>
      <AudienceList
        view={view}
        kind={traits ? 'traits' : 'audiences'}
        shownId={wanted?.id ?? null}
        draft={isNew || draft !== undefined ? (draft?.name ?? '') : null}
        onDraft={() => navigate(NEW_BY_RULE)}
        onKind={(kind) =>
          navigate({ screen: 'audiences', audienceId: null, tab: 'pending', traits: kind === 'traits' })
        }
        onShow={(id) => show(id, tab)}
        onNew={onNew}
      />
      {isNew ? (
        <NewAudience />
      ) : wanted !== undefined && page === 'edit' ? (
        <EditAudience key={wanted.id} audience={wanted} />
      ) : wanted !== undefined && page === 'import' && wanted.by === 'hand' ? (
        <ImportMembers key={wanted.id} audience={wanted} />
      ) : wanted !== undefined && sync !== undefined ? (
        <SyncPage key={`s${wanted.id} ${sync}`} audience={wanted} n={sync} />
      ) : wanted !== undefined ? (
        <div className={css.detail}>
          <AudienceDetail key={`d${wanted.id}`} audience={wanted} tab={tab} onTab={(next) => show(wanted.id, next)} />
          <NextSync key={`n${wanted.id}`} audience={wanted} />
        </div>
      ) : (
        !traits && audienceId !== null && <Gone id={audienceId} />
      )}
    </div>
  );
}

const Gone = ({ id }: { id: number }) => (
  <EmptyState
    icon={Users}
    title={`There is no audience ${id}.`}
    actions={
      <Button onClick={() => navigate({ screen: 'audiences', audienceId: null, tab: 'pending' })}>
        Show all audiences
      </Button>
    }
  >
    It may have been removed.
  </EmptyState>
);

/** Ctrl Enter syncs, Ctrl Shift Enter goes to the dry run. */
function useSyncKeys(audience: AudienceRow | undefined): void {
  /** The audience and its newest sync when the keys began another one: until that is shown, they begin no second one. */
  const begun = useRef('');
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented || layerOpen()) return;
      if (audience === undefined) return;
      const shown = `${audience.id} ${audience.lastSync?.id}`;
      event.preventDefault();
      if (event.shiftKey) document.querySelector<HTMLElement>('[data-region="dry-run"]')?.focus();
      else if (!isRunning(audience.lastSync) && !isStopped(audience.lastSync) && pendingCount(audience.counts) > 0) {
        if (begun.current === shown) return;
        begun.current = shown;
        void startSync(audience).then((isBegun) => {
          if (!isBegun) begun.current = '';
        });
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [audience]);
}
