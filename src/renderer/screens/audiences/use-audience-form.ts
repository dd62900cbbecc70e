import { useMemo, useRef, useState } from 'react';
import type { AudienceRow, PropertyView } from '../../../contract/audiences.ts';
import { ContractError } from '../../../contract/errors.ts';
import { failureText } from '../../components/commit-field.tsx';
import { editMembers, saveAudience } from './actions.ts';
import { type ReadIds, readIds } from './ids-text.ts';
import { propertyError, useProperty } from './use-property.ts';
import { sentence } from './words.ts';

type Place = 'name' | 'property' | 'ids';

export interface AudienceDraft {
  readonly name: string;
  /** Null: made from the name. */
  readonly typed: string | null;
  readonly track: boolean;
  /** First members as text. */
  readonly ids: string;
}

export interface AudienceForm {
  readonly draft: AudienceDraft;
  /** Takes the fields that are given. */
  edit(change: Partial<AudienceDraft>): void;
  readonly read: ReadIds;
  /** What the engine says of the property; null while that is not known. */
  readonly known: PropertyView | null;
  /** The property as it is shown. */
  readonly property: string;
  /** Why the property cannot be used; null when it can. */
  readonly wrong: string | null;
  /** What went wrong, under the field that it belongs to. */
  errorAt(place: Place): string | null;
  save(): Promise<void>;
}

/** What the dialog of an audience holds until it is saved. `audience` is absent for a new one. */
export function useAudienceForm(
  audience: AudienceRow | undefined,
  onSaved: (saved: AudienceRow, members: number) => void,
): AudienceForm {
  const [draft, setDraft] = useState<AudienceDraft>({
    name: audience?.name ?? '',
    typed: audience?.property ?? null,
    track: audience?.track ?? false,
    ids: '',
  });
  const [error, setError] = useState<{ place: Place; text: string } | null>(null);
  const { name, typed, track } = draft;
  const read = useMemo(() => readIds(draft.ids), [draft.ids]);
  const known = useProperty(name, typed, audience?.id);
  const wrong = propertyError(name, typed, known);
  const busy = useRef(false);
  /** Set once it is stored, so that trying again adds no second one. */
  const stored = useRef(audience?.id);

  const save = async () => {
    if (busy.current) return;
    if (name.trim() === '') return setError({ place: 'name', text: 'Enter a name.' });
    if (wrong !== null || read.tooLongAt !== null) return;
    busy.current = true;
    try {
      const saved = await saveAudience({
        id: stored.current,
        kind: audience?.kind ?? 'audience',
        name,
        track,
        ...(audience?.propertyLocked || typed === null ? {} : { property: typed }),
      });
      stored.current = saved.id;
      if (read.ids.length > 0) await editMembers(saved.id, 'add', read.ids);
      onSaved(saved, read.ids.length);
    } catch (failure) {
      setError({ place: placeOf(failure, stored.current !== audience?.id), text: sentence(failureText(failure)) });
    } finally {
      busy.current = false;
    }
  };
  return {
    draft,
    edit: (change) => {
      setDraft((old) => ({ ...old, ...change }));
      setError(null);
    },
    read,
    known,
    property: typed ?? (name.trim() === '' ? '' : (known?.property ?? '')),
    wrong,
    errorAt: (place) => (error?.place === place ? error.text : null),
    save,
  };
}

/** Under which field a failure stands. */
function placeOf(failure: unknown, isStored: boolean): Place {
  if (failure instanceof ContractError && failure.code.startsWith('property_')) return 'property';
  return isStored ? 'ids' : 'name';
}
