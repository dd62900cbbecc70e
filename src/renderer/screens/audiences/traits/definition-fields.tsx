import { Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { COMPUTED_KINDS, type ComputedKind, RULE_LIMITS } from '../../../../contract/people.ts';
import { Button } from '../../../components/button.tsx';
import { cx } from '../../../lib/cx.ts';
import { type FieldSuggestions, WhereFields } from '../rule/condition-fields.tsx';
import type { DraftProblem } from '../rule/draft.ts';
import { newTest } from '../rule/edits.ts';
import { SmallSelect } from '../rule/small-select.tsx';
import { SuggestInput } from '../rule/suggest-input.tsx';
import { problemAt } from '../rule/test-fields.tsx';
import { useProperties } from '../rule/use-properties.ts';
import { useSuggestions } from '../rule/use-suggestions.ts';
import { windowOptions } from '../rule/words.ts';
import css from './definition-fields.module.css';
import { needsPath, OWN_KEY, type TraitDraft } from './trait-draft.ts';
import { KIND_WORDS } from './trait-words.ts';

const KINDS = COMPUTED_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));

/** The definition as one sentence with fields in it: what, over which calls, where, and in which time. */
export function DefinitionFields({
  draft,
  problems,
  showsMissing,
  onChange,
}: {
  draft: TraitDraft;
  problems: readonly DraftProblem[];
  showsMissing: boolean;
  onChange: (draft: TraitDraft) => void;
}) {
  const { kind, event, path, where, withinMs } = draft;
  const suggestions = useSuggestions();
  const shown = { problems, showsMissing };
  const id = useId();
  const wrongPath = problemAt(shown, OWN_KEY, 'path');
  const [isTyping, setTyping] = useState(false);
  const isUnseen = !isTyping && isUnknown(suggestions, event);
  const lastKey = useRef(0);
  const freeKey = () => {
    lastKey.current = Math.max(lastKey.current, ...where.map(({ key }) => key)) + 1;
    return lastKey.current;
  };
  const properties = useProperties(event, suggestions.events !== null && !isUnknown(suggestions, event));
  const time = (
    <span className={css.window}>
      <span className="secondary">{withinMs === null ? 'over' : 'in the'}</span>
      <SmallSelect
        label="Time"
        value={withinMs === null ? '' : String(withinMs)}
        options={windowOptions(withinMs)}
        onChange={(next) => onChange({ ...draft, withinMs: next === '' ? null : Number(next) })}
      />
    </span>
  );
  return (
    <fieldset className={css.definition}>
      <legend className="visually-hidden">Definition</legend>
      <div className={css.line}>
        <SmallSelect<ComputedKind>
          label="Kind"
          value={kind}
          options={KINDS}
          onChange={(next) => onChange({ ...draft, kind: next })}
        />
        {needsPath(kind) && (
          <>
            <span className="secondary">of</span>
            <SuggestInput
              mono
              label="Computed property"
              value={path}
              items={properties ?? []}
              invalid={wrongPath !== null}
              describedBy={wrongPath === null ? undefined : id}
              placeholder="properties.total"
              maxLength={RULE_LIMITS.pathCharacters}
              onChange={(next) => onChange({ ...draft, path: next })}
              onBlur={() => {}}
            />
          </>
        )}
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
        {where.length === 0 && time}
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
          {time}
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

const isUnknown = ({ events }: FieldSuggestions, event: string): boolean =>
  events !== null && event !== '' && !events.some(({ value }) => value === event);
