import { useMemo, useRef, useState } from 'react';
import { ContractError } from '../../../../contract/errors.ts';
import { Button } from '../../../components/button.tsx';
import { failureText } from '../../../components/commit-field.tsx';
import { Seg } from '../../../components/controls.tsx';
import { Kbd } from '../../../components/tag.tsx';
import { useRecords } from '../../../stores/records.ts';
import { navigate } from '../../../stores/route.ts';
import { showToast } from '../../../stores/toasts.ts';
import { saveAudience } from '../actions.ts';
import panelCss from '../next-sync.module.css';
import { NameFields } from '../rule/name-fields.tsx';
import editorCss from '../rule/rule-editor.module.css';
import { propertyError, useProperty } from '../use-property.ts';
import { useSaveKey } from '../use-save-key.ts';
import { PLANS, planOf, planValue, sentence } from '../words.ts';
import { DefinitionFields } from './definition-fields.tsx';
import { checkTrait, NEW_TRAIT } from './trait-draft.ts';
import { type NewTraitDraft, setNewTrait, useTraitDrafts } from './trait-drafts.ts';
import css from './trait-page.module.css';
import { TraitRules } from './trait-rules.tsx';
import { ruleTexts, windowNote } from './trait-words.ts';
import { useTraitView } from './use-trait-view.ts';
import { Values } from './values-chart.tsx';

const FRESH: NewTraitDraft = { name: '', property: null, definition: NEW_TRAIT, sync: { when: 'hand' } };
const SYNC_PLANS = PLANS.map(({ value, label }) => ({ value, label: value === 'hand' ? 'By hand' : label }));

type Place = 'name' | 'property' | 'definition';

/** A trait that is not stored yet, with its values as they would be. */
export function NewTrait() {
  const draft = useTraitDrafts(({ fresh }) => fresh) ?? FRESH;
  const { name, property, definition, sync } = draft;
  const [error, setError] = useState<{ place: Place; text: string } | null>(null);
  const [showsMissing, setShowsMissing] = useState(false);
  const checked = useMemo(() => checkTrait(definition), [definition]);
  const counting = useTraitView(checked.trait);
  const known = useProperty(name, property, undefined);
  const wrong = propertyError(name, property, known);
  const { speed } = useRecords((state) => state.clock);
  const isBusy = useRef(false);
  const change = (edit: Partial<NewTraitDraft>) => {
    setError(null);
    setNewTrait({ ...draft, ...edit });
  };
  const at = (place: Place): string | null => (error?.place === place ? error.text : null);

  const save = async () => {
    if (isBusy.current) return;
    if (name.trim() === '') return setError({ place: 'name', text: 'Enter a name.' });
    if (wrong !== null) return;
    if (checked.trait === null) {
      setShowsMissing(true);
      return setError({ place: 'definition', text: 'The definition is not complete.' });
    }
    isBusy.current = true;
    try {
      const saved = await saveAudience({
        kind: 'trait',
        name,
        sync,
        source: { by: 'computed', definition: { ...checked.trait } as never },
        ...(property === null ? {} : { property }),
      });
      setNewTrait(null);
      navigate({ screen: 'audiences', audienceId: saved.id, tab: 'pending', traits: true });
      showToast({ title: 'Trait added', body: saved.name });
    } catch (failure) {
      setError({ place: placeOf(failure), text: sentence(failureText(failure)) });
    } finally {
      isBusy.current = false;
    }
  };
  useSaveKey(() => void save());
  return (
    <div className={editorCss.editor}>
      <div className={editorCss.body}>
        <section className={editorCss.middle} aria-label={name || 'New trait'} data-region="detail" tabIndex={-1}>
          <h2 className="visually-hidden">New trait</h2>
          <NameFields
            audience={null}
            name={name}
            typed={property}
            known={known}
            nameError={at('name')}
            propertyError={at('property') ?? wrong}
            placeholder="Lifetime value"
            onName={(next) => change({ name: next })}
            onProperty={(next) => change({ property: next })}
          />
          <section className={css.definition} aria-label="Definition">
            <div className={css.bar}>
              <h3>Definition</h3>
              <span className="spacer" />
              <span className="muted small">Over stored traffic of all sources</span>
            </div>
            <DefinitionFields
              draft={definition}
              problems={checked.problems}
              showsMissing={showsMissing}
              onChange={(next) => change({ definition: next })}
            />
          </section>
          <Values name={name === '' ? 'New trait' : name} draft={definition} counting={counting} />
          <div className={editorCss.syncBar}>
            <h3>Sync</h3>
            <span className="spacer" />
            <Seg
              label="Sync"
              value={planValue(sync)}
              options={SYNC_PLANS}
              className={editorCss.plan}
              onChange={(next) => change({ sync: planOf(next) })}
            />
          </div>
        </section>
        <aside className={editorCss.panel} aria-label="About this trait" data-region="trait-rules">
          <section className={panelCss.block} aria-label="What the first sync sends">
            <h3>What the first sync sends</h3>
            <p className="secondary">One identify call for each user with a value. Later only values that changed.</p>
          </section>
          <TraitRules texts={[...ruleTexts(definition, counting.view), ...windowTexts(definition.withinMs, speed)]} />
        </aside>
      </div>
      <footer className={editorCss.foot} data-region="rule-actions">
        <span
          className={error === null ? editorCss.state : editorCss.problem}
          role={error === null ? undefined : 'alert'}
        >
          {error?.text ??
            (sync.when === 'hand'
              ? 'Draft. Nothing is sent until the first sync.'
              : 'Draft. The first sync begins when it is saved.')}
        </span>
        <span className="spacer" />
        <Button variant="ghost" onClick={() => discard(draft)}>
          Discard
        </Button>
        <Button variant="primary" disabled={wrong !== null} onClick={() => void save()}>
          Save trait <Kbd>Ctrl S</Kbd>
        </Button>
      </footer>
    </div>
  );
}

function windowTexts(withinMs: number | null, speed: number): string[] {
  const note = windowNote(withinMs, speed);
  return note === undefined ? [] : [`At ${speed}\u00d7, ${note}`];
}

function placeOf(failure: unknown): Place {
  if (!(failure instanceof ContractError)) return 'definition';
  if (failure.code.startsWith('property_')) return 'property';
  return failure.code === 'audience_name_taken' ? 'name' : 'definition';
}

/** Leaves without saving. Undo brings the draft back. */
function discard(draft: NewTraitDraft): void {
  setNewTrait(null);
  navigate({ screen: 'audiences', audienceId: null, tab: 'pending', traits: true });
  showToast({
    title: 'Draft discarded',
    body: draft.name === '' ? undefined : draft.name,
    action: {
      label: 'Undo',
      run: () => {
        setNewTrait(draft);
        navigate({ screen: 'audiences', audienceId: null, tab: 'pending', traits: true, page: 'edit' });
      },
    },
  });
}
