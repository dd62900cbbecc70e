import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { RULE_LIMITS } from '../../../../contract/people.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { cx } from '../../../lib/cx.ts';
import type { DraftCondition, DraftEvent, DraftTest } from './draft.ts';
import { newTest } from './edits.ts';
import css from './fields.module.css';
import { SmallSelect } from './small-select.tsx';
import { SuggestInput, type Suggestion } from './suggest-input.tsx';
import { type ProblemView, problemAt, TestFields } from './test-fields.tsx';
import { TimeSelect } from './time-select.tsx';
import { useProperties } from './use-properties.ts';
import { COUNT_OPTIONS, timesWord } from './words.ts';

/** What stored traffic has; null while it is not known. */
export interface FieldSuggestions {
  readonly events: readonly Suggestion[] | null;
  readonly traits: readonly Suggestion[] | null;
}

interface Edits<T> {
  readonly suggestions: FieldSuggestions;
  readonly shown: ProblemView;
  /** A key that no node and no test has. */
  readonly freeKey: () => number;
  readonly onChange: (next: T) => void;
}

/** The fields of one condition. */
export function ConditionFields({ node, ...edits }: { node: DraftCondition } & Edits<DraftCondition>) {
  if (node.kind === 'event') return <EventFields node={node} {...edits} />;
  const { suggestions, shown, onChange } = edits;
  return <TestFields test={node} what="Trait" suggestions={suggestions.traits} shown={shown} onChange={onChange} />;
}

function EventFields({ node, suggestions, shown, freeKey, onChange }: { node: DraftEvent } & Edits<DraftCondition>) {
  const { key, event, op, times, withinMs, where } = node;
  const id = useId();
  const [isTyping, setTyping] = useState(false);
  const wrongEvent = problemAt(shown, key, 'event');
  const wrongTimes = problemAt(shown, key, 'times');
  const { events } = suggestions;
  const isUnseen = !isTyping && events !== null && event !== '' && !events.some(({ value }) => value === event);
  const isKnown = events?.some(({ value }) => value === event) ?? false;
  const properties = useProperties(event, where.length > 0 && isKnown);
  const notes = [wrongEvent, wrongTimes].filter((text) => text !== null);
  return (
    <>
      <SuggestInput
        label="Event"
        value={event}
        items={events ?? []}
        invalid={wrongEvent !== null}
        describedBy={wrongEvent !== null || isUnseen ? id : undefined}
        placeholder="Order Completed"
        maxLength={RULE_LIMITS.valueCharacters}
        onChange={(next) => {
          setTyping(true);
          onChange({ ...node, event: next });
        }}
        onBlur={() => setTyping(false)}
      />
      <SmallSelect
        label="Count"
        value={op}
        options={COUNT_OPTIONS}
        onChange={(next) => onChange({ ...node, op: next })}
      />
      <span className={cx(css.box, css.times, wrongTimes !== null && css.invalid)}>
        <input
          type="text"
          inputMode="numeric"
          aria-label="Times"
          aria-invalid={wrongTimes !== null || undefined}
          aria-describedby={wrongTimes === null ? undefined : id}
          autoComplete="off"
          maxLength={12}
          value={times}
          onChange={(change) => onChange({ ...node, times: change.target.value })}
        />
      </span>
      <span className="secondary nowrap">{`${timesWord(times)} in`}</span>
      <TimeSelect withinMs={withinMs} onChange={(next) => onChange({ ...node, withinMs: next })} />
      {where.length === 0 && (
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          className={css.addWhere}
          aria-label="Count only calls where"
          onClick={() => onChange({ ...node, where: [newTest(freeKey())] })}
        >
          where
        </Button>
      )}
      {(notes.length > 0 || isUnseen) && (
        <p id={id} className={cx(css.note, notes.length > 0 && css.bad)}>
          {notes.length > 0 ? notes.join(' ') : 'Not seen yet. 0 people.'}
        </p>
      )}
      <WhereFields
        where={where}
        suggestions={properties}
        shown={shown}
        freeKey={freeKey}
        onChange={(next) => onChange({ ...node, where: next })}
      />
    </>
  );
}

/** Tests of which all must hold of a call. */
export function WhereFields({
  where,
  suggestions,
  shown,
  freeKey,
  onChange,
}: {
  where: readonly DraftTest[];
  suggestions: readonly Suggestion[] | null;
  shown: ProblemView;
  freeKey: () => number;
  onChange: (where: readonly DraftTest[]) => void;
}) {
  return where.map((test, index) => (
    <div key={test.key} className={css.where}>
      <span className="muted">{index === 0 ? 'where' : 'and'}</span>
      <TestFields
        test={test}
        what="Property"
        suggestions={suggestions}
        shown={shown}
        onChange={(next) => onChange(where.with(index, next))}
      />
      <span className="nowrap">
        <IconButton
          size="sm"
          label={`Remove filter ${index + 1}`}
          icon={X}
          onClick={() => onChange(where.toSpliced(index, 1))}
        />
        {index === where.length - 1 && where.length < RULE_LIMITS.where && (
          <IconButton
            size="sm"
            label="Add a filter"
            icon={Plus}
            onClick={() => onChange([...where, newTest(freeKey())])}
          />
        )}
      </span>
    </div>
  ));
}
