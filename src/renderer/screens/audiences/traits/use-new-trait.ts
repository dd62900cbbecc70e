import { useMemo, useRef, useState } from 'react';
import type { PropertyView } from '../../../../contract/audiences.ts';
import { failureText } from '../../../components/commit-field.tsx';
import { navigate } from '../../../stores/route.ts';
import { showToast } from '../../../stores/toasts.ts';
import { saveAudience } from '../actions.ts';
import { refusedField } from '../save-failure.ts';
import { propertyError, useProperty } from '../use-property.ts';
import { sentence } from '../words.ts';
import { checkTrait, NEW_TRAIT } from './trait-draft.ts';
import { type NewTraitDraft, setNewTrait, useTraitDrafts } from './trait-drafts.ts';

const FRESH: NewTraitDraft = { name: '', property: null, definition: NEW_TRAIT, sync: { when: 'hand' } };

type Place = 'name' | 'property' | 'definition';

export interface NewTraitForm {
  readonly draft: NewTraitDraft;
  readonly checked: ReturnType<typeof checkTrait>;
  readonly known: PropertyView | null;
  /** Why nothing can be saved under this property; null when it can. */
  readonly wrong: string | null;
  /** Why the last try to save failed. */
  readonly error: string | null;
  readonly errorAt: (place: Place) => string | null;
  /** Somebody wanted to save: what is missing is named. */
  readonly showsMissing: boolean;
  readonly change: (edit: Partial<NewTraitDraft>) => void;
  readonly save: () => Promise<void>;
}

/** The draft of a trait that is not stored yet, what is wrong with it, and saving it. */
export function useNewTrait(): NewTraitForm {
  const draft = useTraitDrafts(({ fresh }) => fresh) ?? FRESH;
  const { name, property, definition } = draft;
  const [error, setError] = useState<{ place: Place; text: string } | null>(null);
  const [showsMissing, setShowsMissing] = useState(false);
  const checked = useMemo(() => checkTrait(definition), [definition]);
  const known = useProperty(name, property, undefined);
  const wrong = propertyError(name, property, known);
  const isBusy = useRef(false);

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
      await store(draft, checked.trait);
    } catch (failure) {
      setError({ place: refusedField(failure) ?? 'definition', text: sentence(failureText(failure)) });
    } finally {
      isBusy.current = false;
    }
  };
  return {
    draft,
    checked,
    known,
    wrong,
    error: error?.text ?? null,
    errorAt: (place) => (error?.place === place ? error.text : null),
    showsMissing,
    change: (edit) => {
      setError(null);
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
