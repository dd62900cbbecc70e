import { useMemo, useRef } from 'react';
import type { PropertyView } from '../../../../contract/audiences.ts';
import { navigate } from '../../../stores/route.ts';
import { showToast } from '../../../stores/toasts.ts';
import { saveAudience } from '../actions.ts';
import { propertyError, useProperty } from '../use-property.ts';
import { type SaveProblem, useSaveProblem } from '../use-save-problem.ts';
import { checkTrait, NEW_TRAIT } from './trait-draft.ts';
import { type NewTraitDraft, setNewTrait, useTraitDrafts } from './trait-drafts.ts';

const FRESH: NewTraitDraft = { name: '', property: null, definition: NEW_TRAIT, sync: { when: 'hand' } };

type OwnField = 'definition';

export interface NewTraitForm extends SaveProblem<OwnField> {
  readonly draft: NewTraitDraft;
  readonly checked: ReturnType<typeof checkTrait>;
  readonly known: PropertyView | null;
  /** Why nothing can be saved under this property; null when it can. */
  readonly wrong: string | null;
  readonly change: (edit: Partial<NewTraitDraft>) => void;
  readonly save: () => Promise<void>;
}

/** The draft of a trait that is not stored yet, what is wrong with it, and saving it. */
export function useNewTrait(): NewTraitForm {
  const draft = useTraitDrafts(({ fresh }) => fresh) ?? FRESH;
  const { name, property, definition } = draft;
  const { problem, setError, setMissing, setFailure, clear } = useSaveProblem<OwnField>();
  const checked = useMemo(() => checkTrait(definition), [definition]);
  const known = useProperty(name, property, undefined);
  const wrong = propertyError(name, property, known);
  const isBusy = useRef(false);

  const save = async () => {
    if (isBusy.current) return;
    if (name.trim() === '') return setError('name', 'Enter a name.');
    if (wrong !== null) return;
    if (checked.trait === null) return setMissing('definition', 'The definition is not complete.');
    isBusy.current = true;
    try {
      await store(draft, checked.trait);
    } catch (failure) {
      setFailure(failure, 'definition');
    } finally {
      isBusy.current = false;
    }
  };
  return {
    draft,
    checked,
    known,
    wrong,
    ...problem,
    change: (edit) => {
      clear();
      setNewTrait({ ...draft, ...edit });
    },
    save,
  };
}

/** Saves, forgets the draft and shows the trait. Rejects with a ContractError. */
async function store(
  { name, property, sync }: NewTraitDraft,
  definition: NonNullable<ReturnType<typeof checkTrait>['trait']>,
): Promise<void> {
  const saved = await saveAudience({
    kind: 'trait',
    name,
    sync,
    source: { by: 'computed', definition: { ...definition } as never },
    ...(property === null ? {} : { property }),
  });
  setNewTrait(null);
  navigate({ screen: 'audiences', audienceId: saved.id, tab: 'pending', traits: true });
  showToast({ title: 'Trait added', body: saved.name });
}

/** Leaves without saving. Undo brings the draft back. */
export function discard(draft: NewTraitDraft): void {
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
