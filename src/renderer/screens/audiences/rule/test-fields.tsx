import { useId, useState } from 'react';
import { RULE_LIMITS } from '../../../../contract/people.ts';
import { cx } from '../../../lib/cx.ts';
import type { DraftField, DraftProblem, DraftTest } from './draft.ts';
import css from './fields.module.css';
import { SmallSelect } from './small-select.tsx';
import { SuggestInput, type Suggestion } from './suggest-input.tsx';
import { COMPARE_OPTIONS } from './words.ts';

/** Which problems are shown: those of fields that are still empty only when a person wanted to save. */
export interface ProblemView {
  readonly problems: readonly DraftProblem[];
  readonly showsMissing: boolean;
}

/** The problem of one field, or null. */
export const problemAt = ({ problems, showsMissing }: ProblemView, key: number, field: DraftField): string | null =>
  problems.find((one) => one.key === key && one.field === field && (showsMissing || !one.isMissing))?.text ?? null;

/** What, how and with which value: a comparison of a trait or of a property of a call. */
export function TestFields<T extends DraftTest>({
  test,
  what,
  suggestions,
  shown,
  onChange,
}: {
  test: T;
  /** `Trait` or `Property`. */
  what: string;
  /** Null while they are not known. */
  suggestions: readonly Suggestion[] | null;
  shown: ProblemView;
  onChange: (test: T) => void;
}) {
  const { path, op, value, key } = test;
  const id = useId();
  const [isTyping, setTyping] = useState(false);
  const wrongPath = problemAt(shown, key, 'path');
  const wrongValue = problemAt(shown, key, 'value');
  const isUnseen =
    !isTyping && suggestions !== null && path !== '' && !suggestions.some((one) => one.value === path.trim());
  const notes = [wrongPath, wrongValue].filter((text) => text !== null);
  return (
    <>
      <SuggestInput
        mono
        label={what}
        value={path}
        items={suggestions ?? []}
        invalid={wrongPath !== null}
        describedBy={notes.length > 0 || isUnseen ? id : undefined}
        placeholder={what === 'Trait' ? 'address.country' : 'properties.total'}
        maxLength={RULE_LIMITS.pathCharacters}
        onChange={(next) => {
          setTyping(true);
          onChange({ ...test, path: next });
        }}
        onBlur={() => setTyping(false)}
      />
      <SmallSelect
        label="Comparison"
        value={op}
        options={COMPARE_OPTIONS}
        onChange={(next) => onChange({ ...test, op: next })}
      />
      {op !== 'exists' && (
        <span className={cx(css.box, 'mono', wrongValue !== null && css.invalid)}>
          <input
            type="text"
            aria-label="Value"
            aria-invalid={wrongValue !== null || undefined}
            aria-describedby={wrongValue === null ? undefined : id}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            title={VALUE_TITLE}
            placeholder={op === 'is_one_of' ? 'AT, DE' : op === 'before' || op === 'after' ? '2026-11-20' : 'value'}
            value={value}
            onChange={(event) => onChange({ ...test, value: event.target.value })}
          />
        </span>
      )}
      {(notes.length > 0 || isUnseen) && (
        <p id={id} className={cx(css.note, notes.length > 0 && css.bad)}>
          {notes.length > 0
            ? notes.join(' ')
            : what === 'Trait'
              ? 'Not seen yet. 0 people.'
              : 'Not in its newest calls.'}
        </p>
      )}
    </>
  );
}

const VALUE_TITLE = '5 is a number, true a truth value. Put them in quotes for a text: "5".';
