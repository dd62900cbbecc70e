import { useMemo } from 'react';
import type { PropertyView } from '../../../../contract/audiences.ts';
import { type ReadIds, readIds } from '../ids-text.ts';
import { propertyError, useProperty } from '../use-property.ts';
import { type SaveProblem, useSaveProblem } from '../use-save-problem.ts';
import { checkDraft, type DraftGroup } from './draft.ts';
import { type AudienceDraft, setDraft } from './drafts.ts';
import { type EditorProps, useSave } from './save-rule.ts';

type OwnField = 'rule' | 'ids';

export interface RuleForm extends SaveProblem<OwnField> {
  readonly checked: ReturnType<typeof checkDraft>;
  readonly known: PropertyView | null;
  /** The ids of an audience by hand. */
  readonly read: ReadIds;
  /** Why nothing can be saved under this property; null when it can. */
  readonly wrong: string | null;
  readonly change: (edit: Partial<AudienceDraft>) => void;
  readonly save: (then: 'audience' | 'dry-run') => Promise<void>;
}

/** A draft of an audience, what is wrong with it, and saving it. */
export function useRuleForm({ audience, draft }: EditorProps): RuleForm {
  const { name, property, by, rule: tree, ids } = draft;
  const { problem, setError, setMissing, setFailure, clear } = useSaveProblem<OwnField>();
  const checked = useMemo(() => checkDraft(tree), [tree]);
  const read = useMemo(() => readIds(ids), [ids]);
  const known = useProperty(name, property, audience?.id);
  const wrong = audience?.propertyLocked ? null : propertyError(name, property, known);
  const store = useSave({ audience, draft, rule: checked.rule, ids: read.ids });

  const save = async (then: 'audience' | 'dry-run'): Promise<void> => {
    if (name.trim() === '') return setError('name', 'Enter a name.');
    if (wrong !== null || (by === 'hand' && read.tooLongAt !== null)) return;
    if (by === 'rule' && (checked.rule === null || tree.of.length === 0)) return setMissing('rule', ruleProblem(tree));
    try {
      await store(then);
    } catch (failure) {
      setFailure(failure, 'rule');
    }
  };
  return {
    checked,
    known,
    read,
    wrong,
    ...problem,
    change: (edit) => {
      clear();
      setDraft(audience?.id ?? 'new', { ...draft, ...edit });
    },
    save,
  };
}

const ruleProblem = ({ of }: DraftGroup): string =>
  of.length === 0 ? 'Add a condition. Without one nobody is in.' : 'Some conditions are not complete.';
