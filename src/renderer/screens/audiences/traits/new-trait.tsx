import { Button } from '../../../components/button.tsx';
import { Kbd } from '../../../components/tag.tsx';
import { useRecords } from '../../../stores/records.ts';
import panelCss from '../next-sync.module.css';
import { EditorFoot, SyncBar } from '../rule/editor-parts.tsx';
import { NameFields } from '../rule/name-fields.tsx';
import editorCss from '../rule/rule-editor.module.css';
import { useSaveKey } from '../use-save-key.ts';
import { DefinitionFields } from './definition-fields.tsx';
import css from './trait-page.module.css';
import { TraitRules } from './trait-rules.tsx';
import { ruleTexts, windowNote } from './trait-words.ts';
import { discard, useNewTrait } from './use-new-trait.ts';
import { useTraitView } from './use-trait-view.ts';
import { Values } from './values-chart.tsx';

/** A trait that is not stored yet, with its values as they would be. */
export function NewTrait() {
  const { draft, checked, known, wrong, error, errorAt, showsMissing, change, save } = useNewTrait();
  const { name, property, definition, sync } = draft;
  const counting = useTraitView(checked.trait);
  const { speed } = useRecords((state) => state.clock);
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
            nameError={errorAt('name')}
            propertyError={errorAt('property') ?? wrong}
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
          <SyncBar sync={sync} onSync={(next) => change({ sync: next })} />
        </section>
        <aside className={editorCss.panel} aria-label="About this trait" data-region="trait-rules">
          <section className={panelCss.block} aria-label="What the first sync sends">
            <h3>What the first sync sends</h3>
            <p className="secondary">One identify call for each user with a value. Later only values that changed.</p>
          </section>
          <TraitRules texts={[...ruleTexts(definition, counting.view), ...windowTexts(definition.withinMs, speed)]} />
        </aside>
      </div>
      <EditorFoot
        error={error}
        about={
          sync.when === 'hand'
            ? 'Draft. Nothing is sent until the first sync.'
            : 'Draft. The first sync begins when it is saved.'
        }
      >
        <Button variant="ghost" onClick={() => discard(draft)}>
          Discard
        </Button>
        <Button variant="primary" disabled={wrong !== null} onClick={() => void save()}>
          Save trait <Kbd>Ctrl S</Kbd>
        </Button>
      </EditorFoot>
    </div>
  );
}

function windowTexts(withinMs: number | null, speed: number): string[] {
  const note = windowNote(withinMs, speed);
  return note === undefined ? [] : [`At ${speed}\u00d7, ${note}`];
}
