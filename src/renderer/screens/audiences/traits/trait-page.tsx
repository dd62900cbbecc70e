import { ListChecks } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import type { ComputedTraitView } from '../../../../contract/people.ts';
import { Button } from '../../../components/button.tsx';
import { failureText } from '../../../components/commit-field.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Kbd, Tag } from '../../../components/tag.tsx';
import toneCss from '../../../components/tone.module.css';
import { TryAgain } from '../../../components/try-again.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatCount } from '../../../lib/format.ts';
import { useRecords } from '../../../stores/records.ts';
import { useNow } from '../../../stores/ticker.ts';
import { showToast } from '../../../stores/toasts.ts';
import { saveAudience } from '../actions.ts';
import screenCss from '../audiences-screen.module.css';
import { HeadMenu, Progress, SyncButton } from '../detail-head.tsx';
import { Fact, FactsHead } from '../facts-head.tsx';
import { NextSync } from '../next-sync.tsx';
import syncCss from '../sync/sync-page.module.css';
import { useSaveKey } from '../use-save-key.ts';
import { lastSyncText, sentence, syncRoute } from '../words.ts';
import { DefinitionFields } from './definition-fields.tsx';
import { TraitChanges } from './trait-changes.tsx';
import { checkTrait, sameDraft, type TraitDraft, traitDraftOf } from './trait-draft.ts';
import { setTraitEdit, useTraitDrafts } from './trait-drafts.ts';
import css from './trait-page.module.css';
import { TraitRules } from './trait-rules.tsx';
import { KIND_WORDS, ruleTexts, windowNote } from './trait-words.ts';
import { useDefinition } from './use-definition.ts';
import { useTraitView } from './use-trait-view.ts';
import { Values } from './values-chart.tsx';

/** A computed trait: one value for each user, sent only when it has changed (design/ui, section 17). */
export function TraitPage({ trait }: { trait: AudienceRow }) {
  const stored = useDefinition(trait);
  if (stored.definition === null && stored.failed) {
    return <EmptyState title="Could not read the definition." actions={<TryAgain onAgain={stored.reload} />} />;
  }
  if (stored.definition === null) return <div aria-busy="true" />;
  return <Loaded trait={trait} definition={stored.definition} onSaved={stored.saved} />;
}

function Loaded({
  trait,
  definition,
  onSaved,
}: {
  trait: AudienceRow;
  definition: ComputedTraitView;
  onSaved: (definition: ComputedTraitView) => void;
}) {
  const { id, name, lastSync } = trait;
  const saved = useMemo(() => traitDraftOf(definition), [definition]);
  const edit = useTraitDrafts(({ edits }) => edits.get(id));
  const draft = edit ?? saved;
  const checked = useMemo(() => checkTrait(draft), [draft]);
  const isEdited = edit !== undefined && !sameDraft(edit, saved);
  const counting = useTraitView(checked.trait);
  const { speed } = useRecords((state) => state.clock);
  const [at, setAt] = useState(0);
  return (
    <div className={screenCss.detail}>
      <section className={syncCss.main} aria-label={name} data-region="detail" tabIndex={-1}>
        <Head trait={trait} />
        {lastSync !== null && <Progress sync={lastSync} isTrait />}
        <Definition
          trait={trait}
          draft={draft}
          isEdited={isEdited}
          calls={counting.view?.calls ?? null}
          onSaved={onSaved}
        />
        <Values name={name} draft={draft} counting={counting} />
        <TraitChanges trait={trait} definition={definition} at={at} onAt={setAt} />
      </section>
      <NextSync
        audience={trait}
        rules={<TraitRules texts={ruleTexts(draft, counting.view)} />}
        clockNote={windowNote(definition.withinMs, speed)}
        place={{ at, onAt: setAt }}
      />
    </div>
  );
}

const focusDryRun = (): void => document.querySelector<HTMLElement>('[data-region="dry-run"]')?.focus();

function Head({ trait }: { trait: AudienceRow }) {
  const { computes, counts, lastSync } = trait;
  const now = useNow();
  const people = useRecords((state) => state.people?.people ?? null);
  const members = formatCount(counts.members);
  return (
    <FactsHead
      audience={trait}
      tag={computes !== null && <Tag>{KIND_WORDS[computes]}</Tag>}
      actions={
        <>
          <HeadMenu audience={trait} />
          <Button icon={ListChecks} title="Ctrl Shift Enter" onClick={focusDryRun}>
            Dry run
          </Button>
          <SyncButton audience={trait} />
        </>
      }
    >
      <Fact name="People with a value">
        {people === null ? members : `${members} of ${formatCount(Math.max(people, counts.members))}`}
      </Fact>
      {counts.toChange > 0 && <Fact name="Changed">{formatCount(counts.toChange)}</Fact>}
      {counts.toAdd > 0 && (
        <Fact name="New" tone={toneCss.ok}>
          {`+${formatCount(counts.toAdd)}`}
        </Fact>
      )}
      <Fact name="Last sync">
        {lastSync === null ? (
          lastSyncText(lastSync, now)
        ) : (
          <a className={css.sync} href={syncRoute(lastSync, true)}>
            {lastSyncText(lastSync, now)}
          </a>
        )}
      </Fact>
    </FactsHead>
  );
}

function Definition({
  trait,
  draft,
  isEdited,
  calls,
  onSaved,
}: {
  trait: AudienceRow;
  draft: TraitDraft;
  isEdited: boolean;
  calls: number | null;
  onSaved: (definition: ComputedTraitView) => void;
}) {
  const { id, name } = trait;
  const [showsMissing, setShowsMissing] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { trait: wanted, problems } = checkTrait(draft);
  const save = async () => {
    if (wanted === null) return setShowsMissing(true);
    try {
      await saveAudience({ id, kind: 'trait', name, source: { by: 'computed', definition: { ...wanted } as never } });
      onSaved(wanted as ComputedTraitView);
      setTraitEdit(id, null);
      showToast({ title: 'Trait saved', body: name });
    } catch (failure) {
      setError(sentence(failureText(failure)));
    }
  };
  useSaveKey(isEdited ? () => void save() : null);
  return (
    <section className={css.definition} aria-label="Definition">
      <header className={css.bar}>
        <h3>Definition</h3>
        <span className="spacer" />
        {isEdited ? (
          <>
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                setTraitEdit(id, null);
                setShowsMissing(false);
                setError(null);
              }}
            >
              Discard
            </Button>
            <Button size="sm" variant="primary" onClick={() => void save()}>
              Save trait <Kbd>Ctrl S</Kbd>
            </Button>
          </>
        ) : (
          calls !== null && (
            <span className="muted small">{`${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'} counted`}</span>
          )
        )}
      </header>
      <DefinitionFields
        draft={draft}
        problems={problems}
        showsMissing={showsMissing}
        onChange={(next) => {
          setError(null);
          setTraitEdit(id, next);
        }}
      />
      {isEdited && (
        <p className="muted small">
          Not saved. The values below are those of the edit; the next sync still sends those of the saved definition.
        </p>
      )}
      {error !== null && (
        <p className={cx('small', css.bad)} role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
