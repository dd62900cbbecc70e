import { Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { COMPUTED_KINDS, type ComputedKind, RULE_LIMITS } from '../../../../contract/people.ts';
import { Button } from '../../../components/button.tsx';
import { cx } from '../../../lib/cx.ts';
import { type FieldSuggestions, WhereFields } from '../rule/condition-fields.tsx';
import type { DraftProblem } from '../rule/draft.ts';
import { newTest } from '../rule/edits.ts';
import { SmallSelect } from '../rule/small-select.tsx';
import { SuggestInput, type Suggestion } from '../rule/suggest-input.tsx';
import { problemAt } from '../rule/test-fields.tsx';
import { TimeSelect } from '../rule/time-select.tsx';
import { useProperties } from '../rule/use-properties.ts';
import { useSuggestions } from '../rule/use-suggestions.ts';
import css from './definition-fields.module.css';
import { needsPath, OWN_KEY, type TraitDraft } from './trait-draft.ts';
import { KIND_WORDS } from './trait-words.ts';

const KINDS = COMPUTED_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));

interface Edit {
  readonly draft: TraitDraft;
  readonly onChange: (draft: TraitDraft) => void;
}

/** The definition as one sentence with fields in it: what, over which calls, where, and in which time. */
export function DefinitionFields({
  draft,
  problems,
  showsMissing,
  onChange,
}: Edit & { problems: readonly DraftProblem[]; showsMissing: boolean }) {
  const { event, where } = draft;
  const suggestions = useSuggestions();
  const shown = { problems, showsMissing };
  const id = useId();
  const wrongPath = problemAt(shown, OWN_KEY, 'path');
  const [isTyping, setTyping] = useState(false);
  const isUnseen = !isTyping && isUnknown(suggestions, event);
  const properties = useProperties(event, suggestions.events !== null && !isUnknown(suggestions, event));
  const freeKey = useFreeKey(where);
  return (
    <fieldset className={css.definition}>
      <legend className="visually-hidden">Definition</legend>
      <div className={css.line}>
        <ValueFields
          draft={draft}
          onChange={onChange}
          properties={properties}
          describedBy={wrongPath === null ? undefined : id}
        />
        <span className="secondary">over</span>
        <SuggestInput
          label="Event"
          value={event}
          items={suggestions.events ?? []}
          invalid={false}
          describedBy={isUnseen ? id : undefined}
          placeholder="every call"
          maxLength={RULE_LIMITS.valueCharacters}
          onChange={(next) => {
            setTyping(true);
            onChange({ ...draft, event: next });
          }}
          onBlur={() => setTyping(false)}
        />
        {where.length === 0 && <TimeField draft={draft} onChange={onChange} />}
        {where.length === 0 && (
          <Button
            size="sm"
            variant="ghost"
            icon={Plus}
            onClick={() => onChange({ ...draft, where: [newTest(freeKey())] })}
          >
            Filter
          </Button>
        )}
      </div>
      {where.length > 0 && (
        <div className={cx(css.line, css.filters)}>
          <WhereFields
            where={where}
            suggestions={properties}
            shown={shown}
            freeKey={freeKey}
            onChange={(next) => onChange({ ...draft, where: next })}
          />
          <TimeField draft={draft} onChange={onChange} />
        </div>
      )}
      {(wrongPath !== null || isUnseen) && (
        <p id={id} className={cx('small', wrongPath === null ? 'muted' : css.bad)}>
          {wrongPath ?? 'Not seen yet. 0 people.'}
        </p>
      )}
    </fieldset>
  );
}

/** What is computed: `Sum of properties.total`. */
const ValueFields = ({
  draft,
  onChange,
  properties,
  describedBy,
}: Edit & { properties: readonly Suggestion[] | null; describedBy: string | undefined }) => (
  <>
    <SmallSelect<ComputedKind>
      label="Kind"
      value={draft.kind}
      options={KINDS}
      onChange={(next) => onChange({ ...draft, kind: next })}
    />
    {needsPath(draft.kind) && (
      <>
        <span className="secondary">of</span>
        <SuggestInput
          mono
          label="Computed property"
          value={draft.path}
          items={properties ?? []}
          invalid={describedBy !== undefined}
          describedBy={describedBy}
          placeholder="properties.total"
          maxLength={RULE_LIMITS.pathCharacters}
          onChange={(next) => onChange({ ...draft, path: next })}
          onBlur={() => {}}
        />
      </>
    )}
  </>
);

const TimeField = ({ draft, onChange }: Edit) => (
  <span className={css.window}>
    <span className="secondary">{draft.withinMs === null ? 'over' : 'in the'}</span>
    <TimeSelect withinMs={draft.withinMs} onChange={(next) => onChange({ ...draft, withinMs: next })} />
  </span>
);

/** Gives keys that no filter has or had. */
function useFreeKey(where: TraitDraft['where']): () => number {
  const last = useRef(0);
  return () => {
    last.current = Math.max(last.current, ...where.map(({ key }) => key)) + 1;
    return last.current;
  };
}

const isUnknown = ({ events }: FieldSuggestions, event: string): boolean =>
  events !== null && event !== '' && !events.some(({ value }) => value === event);
