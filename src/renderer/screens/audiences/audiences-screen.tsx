import { Plus, Sigma, Users } from 'lucide-react';
import { useRef, useState } from 'react';
import type { AudienceRow, AudiencesView } from '../../../contract/audiences.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { layerOpen } from '../../frame/keys.ts';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate, type Route, useRoute } from '../../stores/route.ts';
import { addSample, addSampleTrait, startSync } from './actions.ts';
import { AudienceDetail } from './audience-detail.tsx';
import { AudienceDialog } from './audience-dialog.tsx';
import { AudienceList } from './audience-list.tsx';
import css from './audiences-screen.module.css';
import { ImportMembers } from './import/import-members.tsx';
import { NextSync } from './next-sync.tsx';
import { NEW_DRAFT, setDraft, useDraft } from './rule/drafts.ts';
import { EditAudience, NewAudience } from './rule/edit-audience.tsx';
import { SyncPage } from './sync/sync-page.tsx';
import { NewTrait } from './traits/new-trait.tsx';
import { useTraitDrafts } from './traits/trait-drafts.ts';
import { TraitPage } from './traits/trait-page.tsx';
import { isRunning, isStopped, pendingCount } from './words.ts';

/** Who gets an identify call, what the next sync sends, and the syncs so far. */
export default function AudiencesScreen() {
  const view = useRecords((state) => state.audiences);
  const route = useRoute();
  const [isAdding, setAdding] = useState(false);
  const isTraits = route.screen === 'audiences' && route.traits === true;
  return (
    <Screen
      title="Audiences"
      sub={
        isTraits
          ? 'Computed traits are delivered as identify calls'
          : 'Membership changes are delivered as identify calls'
      }
      actions={<SaveState />}
    >
      {view !== undefined && <Audiences view={view} onNew={isTraits ? newTrait : () => setAdding(true)} />}
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

type AudiencesRoute = Extract<Route, { screen: 'audiences' }>;

const NO_ROUTE: AudiencesRoute = { screen: 'audiences', audienceId: null, tab: 'pending' };
const NEW_BY_RULE: AudiencesRoute = { ...NO_ROUTE, page: 'edit' };
const newTrait = (): void => navigate({ ...NEW_BY_RULE, traits: true });

function Audiences({ view, onNew }: { view: AudiencesView; onNew: () => void }) {
  const route = useRoute();
  const shownRoute = route.screen === 'audiences' ? route : NO_ROUTE;
  const { audienceId, tab, traits = false, page = null } = shownRoute;
  const rows = traits ? view.traits : view.audiences;
  const isNew = page === 'edit' && audienceId === null;
  const shown = isNew ? undefined : audienceId === null ? rows[0] : rows.find(({ id }) => id === audienceId);
  useSyncKeys(page === null ? shown : undefined);
  const draft = useDraft('new');
  const freshTrait = useTraitDrafts(({ fresh }) => fresh);
  const fresh = traits ? freshTrait : draft;
  const kindRoute = traits ? { traits: true } : {};
  return (
    <div className={css.three}>
      <AudienceList
        view={view}
        kind={traits ? 'traits' : 'audiences'}
        shownId={shown?.id ?? null}
        draft={isNew || (fresh !== undefined && fresh !== null) ? (fresh?.name ?? '') : null}
        onDraft={() => navigate({ ...NEW_BY_RULE, ...kindRoute })}
        onKind={(kind) => navigate({ ...NO_ROUTE, ...(kind === 'traits' && { traits: true }) })}
        onShow={(id) => navigate({ ...NO_ROUTE, audienceId: id, tab, ...kindRoute }, { replace: true })}
        onNew={onNew}
      />
      {shown !== undefined ? (
        <Shown audience={shown} route={shownRoute} />
      ) : isNew ? (
        traits ? (
          <NewTrait />
        ) : (
          <NewAudience />
        )
      ) : audienceId !== null ? (
        <Gone id={audienceId} isTrait={traits} />
      ) : (
        <FirstUse isTrait={traits} onNew={onNew} />
      )}
    </div>
  );
}

/** An audience or a trait, its editor, or one of its syncs. */
function Shown({ audience, route }: { audience: AudienceRow; route: AudiencesRoute }) {
  const { id, kind } = audience;
  const { page, sync, tab } = route;
  if (sync !== undefined) return <SyncPage key={`${id} ${sync}`} audience={audience} n={sync} />;
  if (kind === 'trait') return <TraitPage key={id} trait={audience} />;
  if (page === 'edit') return <EditAudience key={id} audience={audience} />;
  if (page === 'import' && audience.by === 'hand') return <ImportMembers key={id} audience={audience} />;
  return (
    <div className={css.detail}>
      <AudienceDetail
        key={`d${id}`}
        audience={audience}
        tab={tab}
        onTab={(next) => navigate({ ...NO_ROUTE, audienceId: id, tab: next }, { replace: true })}
      />
      <NextSync key={`n${id}`} audience={audience} />
    </div>
  );
}

const Gone = ({ id, isTrait }: { id: number; isTrait: boolean }) => (
  <EmptyState
    icon={Users}
    title={`There is no ${isTrait ? 'computed trait' : 'audience'} ${id}.`}
    actions={
      <Button onClick={() => navigate({ ...NO_ROUTE, ...(isTrait && { traits: true }) })}>
        {isTrait ? 'Show all traits' : 'Show all audiences'}
      </Button>
    }
  >
    It may have been removed.
  </EmptyState>
);

const FIRST = {
  audience: {
    title: 'No audience yet.',
    text: 'A sync tells the webhooks who is in, with an identify call for each user.',
    verb: 'New audience',
    sample: 'Sample audience',
    add: addSample,
  },
  trait: {
    title: 'No computed trait yet.',
    text: 'It makes one value for each user of the stored calls, such as a count or a sum, and sends it when it has changed.',
    verb: 'New trait',
    sample: 'Sample trait',
    add: addSampleTrait,
  },
};

function FirstUse({ isTrait, onNew }: { isTrait: boolean; onNew: () => void }) {
  const { title, text, verb, sample, add } = FIRST[isTrait ? 'trait' : 'audience'];
  return (
    <EmptyState
      icon={isTrait ? Sigma : Users}
      title={title}
      actions={
        <>
          <Button variant="primary" icon={Plus} onClick={onNew}>
            {verb}
          </Button>
          <Button icon={Plus} onClick={() => void add()}>
            {sample}
          </Button>
        </>
      }
    >
      {text}
    </EmptyState>
  );
}

/** Ctrl Enter syncs, Ctrl Shift Enter goes to the dry run. */
function useSyncKeys(audience: AudienceRow | undefined): void {
  /** The audience and its newest sync when the keys began another one: until that is shown, they begin no second one. */
  const begun = useRef('');
  useWindowKeys((event) => {
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
  });
}
