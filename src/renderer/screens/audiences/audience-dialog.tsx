import { ListFilter } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { AUDIENCE_LIMITS, type AudienceRow, PROPERTY_PATTERN, type PropertyView } from '../../../contract/audiences.ts';
import { ContractError } from '../../../contract/errors.ts';
import { Button } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Checkbox } from '../../components/controls.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/input.tsx';
import { plural } from '../../lib/format.ts';
import { showToast } from '../../stores/toasts.ts';
import { editMembers, saveAudience } from './actions.ts';
import css from './audience-dialog.module.css';
import { IdsField } from './ids-field.tsx';
import { readIds } from './ids-text.ts';
import { useProperty } from './use-property.ts';
import { sentence, sourceClash } from './words.ts';

type Place = 'name' | 'property' | 'ids';

/** Name and property of an audience, and the first members of a new one. */
export function AudienceDialog({
  audience,
  onClose,
  onSaved = () => {},
  onByRule,
}: {
  /** Absent for a new one. */
  audience?: AudienceRow;
  onClose: () => void;
  onSaved?: (saved: AudienceRow) => void;
  /** Goes to the rule editor with the name so far. */
  onByRule?: (name: string) => void;
}) {
  const [name, setName] = useState(audience?.name ?? '');
  /** Null: made from the name. */
  const [typed, setTyped] = useState<string | null>(audience?.property ?? null);
  const [track, setTrack] = useState(audience?.track ?? false);
  const [text, setText] = useState('');
  const [error, setError] = useState<{ place: Place; text: string } | null>(null);
  const read = useMemo(() => readIds(text), [text]);
  const known = useProperty(name, typed, audience?.id);
  const busy = useRef(false);
  /** Set once it is stored, so that trying again adds no second one. */
  const stored = useRef(audience?.id);

  const isTrait = audience?.kind === 'trait';
  const noun = isTrait ? 'Trait' : 'Audience';
  const isLocked = audience?.propertyLocked ?? false;
  const property = typed ?? (name.trim() === '' ? '' : (known?.property ?? ''));
  const wrong = propertyError(name, typed, known);
  const at = (place: Place) => (error?.place === place ? error.text : null);
  const edit = () => setError(null);

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
        ...(isLocked || typed === null ? {} : { property: typed }),
      });
      stored.current = saved.id;
      if (read.ids.length > 0) await editMembers(saved.id, 'add', read.ids);
      onSaved(saved);
      onClose();
      showToast({
        title: audience === undefined ? 'Audience added' : `${noun} saved`,
        body: read.ids.length > 0 ? `${saved.name}, ${plural(read.ids.length, 'member')}` : saved.name,
      });
    } catch (failure) {
      setError({ place: placeOf(failure, stored.current !== audience?.id), text: sentence(failureText(failure)) });
    } finally {
      busy.current = false;
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={audience === undefined ? 'New audience' : `Edit ${noun.toLowerCase()}`}
      width={480}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={wrong !== null} onClick={() => void save()}>
            {audience === undefined ? 'Add audience' : `Save ${noun.toLowerCase()}`}
          </Button>
        </>
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" stacked error={at('name')}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              maxLength={AUDIENCE_LIMITS.name}
              value={name}
              placeholder="High Value Customers"
              onChange={(event) => {
                setName(event.target.value);
                edit();
              }}
            />
          )}
        </Field>
        <Field
          label="Property"
          stacked
          error={at('property') ?? wrong}
          hint={isLocked ? propertyHint(isLocked, typed) : (clashText(known) ?? propertyHint(isLocked, typed))}
        >
          {(control) => (
            <Input
              {...control}
              mono
              disabled={isLocked}
              maxLength={AUDIENCE_LIMITS.property}
              value={property}
              onChange={(event) => {
                setTyped(event.target.value === '' ? null : event.target.value);
                edit();
              }}
              trailing={
                known?.free != null && (
                  <Button size="sm" variant="ghost" onClick={() => setTyped(known.free)}>
                    {`Use ${known.free}`}
                  </Button>
                )
              }
            />
          )}
        </Field>
        {onByRule !== undefined && (
          <div className={css.members}>
            <span className="muted">Members by hand, or</span>
            <Button
              size="sm"
              icon={ListFilter}
              onClick={() => {
                onClose();
                onByRule(name);
              }}
            >
              By rule
            </Button>
          </div>
        )}
        {audience === undefined && (
          <IdsField
            text={text}
            read={read}
            error={at('ids')}
            onText={(next) => {
              setText(next);
              edit();
            }}
          />
        )}
        {!isTrait && (
          <div className={css.track}>
            <Checkbox checked={track} label="Also send track calls" onChange={setTrack} />
            <span>
              Also send track calls, Audience Entered and Audience Exited.{' '}
              <span className="muted">Not part of the specification.</span>
            </span>
          </div>
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}

const clashText = (known: PropertyView | null): string | null => {
  const clash = sourceClash(known);
  return clash && `${clash.who} ${clash.how}`;
};

const propertyHint = (isLocked: boolean, typed: string | null): string => {
  if (isLocked) return 'It was synced with this property. Make a copy to send another name.';
  return typed === null ? 'The trait that is sent. It is made from the name.' : 'The trait that is sent.';
};

/** Why the property cannot be used; null when it can, and while that is not known. */
export function propertyError(name: string, typed: string | null, known: PropertyView | null): string | null {
  if (typed !== null && !PROPERTY_PATTERN.test(typed)) {
    return 'Lower-case letters, digits and underscores, no digit first.';
  }
  if (known === null || name.trim() === '') return null;
  if (known.property === null) return 'The name has no Latin letter or digit. Type a property.';
  if (known.usedBy === null) return null;
  const { kind, name: other } = known.usedBy;
  return `The ${kind === 'audience' ? 'audience' : 'computed trait'} ${other} sends ${known.property} already.`;
}

/** Under which field a failure stands. */
function placeOf(failure: unknown, isStored: boolean): Place {
  if (failure instanceof ContractError && failure.code.startsWith('property_')) return 'property';
  return isStored ? 'ids' : 'name';
}
