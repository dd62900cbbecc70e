import { useMemo, useState } from 'react';
import type { PropertyView } from '../../../../contract/audiences.ts';
import { failureText } from '../../../components/commit-field.tsx';
import { type ReadIds, readIds } from '../ids-text.ts';
import { refusedField } from '../save-failure.ts';
import { propertyError, useProperty } from '../use-property.ts';
import { sentence } from '../words.ts';
import { checkDraft, type DraftGroup } from './draft.ts';
import { type AudienceDraft, setDraft } from './drafts.ts';
import { type EditorProps, useSave } from './save-rule.ts';

type Place = 'name' | 'property' | 'rule' | 'ids';

export interface RuleForm {
  readonly checked: ReturnType<typeof checkDraft>;
  readonly known: PropertyView | null;
  /** The ids of an audience by hand. */
  readonly read: ReadIds;
  /** Why nothing can be saved under this property; null when it can. */
  readonly wrong: string | null;
  /** Why the last try to save failed. */
  readonly error: string | null;
  readonly errorAt: (place: Place) => string | null;
  /** Somebody wanted to save: what is missing is named. */
  readonly showsMissing: boolean;
  readonly change: (edit: Partial<AudienceDraft>) => void;
  readonly save: (then: 'audience' | 'dry-run') => Promise<void>;
}

/** A draft of an audience, what is wrong with it, and saving it. */
export function useRuleForm({ audience, draft }: EditorProps): RuleForm {
  const { name, property, by, rule: tree, ids } = draft;
  const [error, setError] = useState<{ place: Place; text: string } | null>(null);
  const [showsMissing, setShowsMissing] = useState(false);
  const checked = useMemo(() => checkDraft(tree), [tree]);
  const read = useMemo(() => readIds(ids), [ids]);
  const known = useProperty(name, property, audience?.id);
  const wrong = audience?.propertyLocked ? null : propertyError(name, property, known);
  const store = useSave({ audience, draft, rule: checked.rule, ids: read.ids });

  const save = async (then: 'audience' | 'dry-run'): Promise<void> => {
    if (name.trim() === '') return setError({ place: 'name', text: 'Enter a name.' });
    if (wrong !== null || (by === 'hand' && read.tooLongAt !== null)) return;
    if (by === 'rule' && (checked.rule === null || tree.of.length === 0)) {
      setShowsMissing(true);
      return setError({ place: 'rule', text: ruleProblem(tree) });
    }
    try {
      await store(then);
    } catch (failure) {
      setError({ place: refusedField(failure) ?? 'rule', text: sentence(failureText(failure)) });
    }
  };
  return {
    checked,
    known,
    read,
    wrong,
    error: error?.text ?? null,
    errorAt: (place) => (error?.place === place ? error.text : null),
    showsMissing,
    change: (edit) => {
      setError(null);
      setDraft(audience?.id ?? 'new', { ...draft, ...edit });
    },
    save,
  };
}

const ruleProblem = ({ of }: DraftGroup): string =>
  of.length === 0 ? 'Add a condition. Without one nobody is in.' : 'Some conditions are not complete.';
