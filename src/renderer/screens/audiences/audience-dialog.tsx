import { ListFilter } from 'lucide-react';
import { AUDIENCE_LIMITS, type AudienceRow, type PropertyView } from '../../../contract/audiences.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/controls.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/input.tsx';
import { plural } from '../../lib/format.ts';
import { showToast } from '../../stores/toasts.ts';
import css from './audience-dialog.module.css';
import { IdsField } from './ids-field.tsx';
import { type AudienceForm, useAudienceForm } from './use-audience-form.ts';
import { sourceClash } from './words.ts';

interface AudienceDialogProps {
  /** Absent for a new one. */
  readonly audience?: AudienceRow;
  onClose(): void;
  onSaved?(saved: AudienceRow): void;
  /** Goes to the rule editor with the name so far. */
  onByRule?(name: string): void;
}

/** Name and property of an audience, and the first members of a new one. */
export function AudienceDialog({ audience, onClose, onSaved = () => {}, onByRule }: AudienceDialogProps) {
  const isNew = audience === undefined;
  const isTrait = audience?.kind === 'trait';
  const noun = isTrait ? 'Trait' : 'Audience';
  const form = useAudienceForm(audience, (saved, members) => {
    onSaved(saved);
    onClose();
    showToast({
      title: isNew ? 'Audience added' : `${noun} saved`,
      body: members > 0 ? `${saved.name}, ${plural(members, 'member')}` : saved.name,
    });
  });
  const { draft, edit, save } = form;
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'New audience' : `Edit ${noun.toLowerCase()}`}
      width={480}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={form.wrong !== null} onClick={() => void save()}>
            {isNew ? 'Add audience' : `Save ${noun.toLowerCase()}`}
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
        <NameField form={form} />
        <PropertyField form={form} isLocked={audience?.propertyLocked ?? false} />
        {onByRule !== undefined && (
          <ByRule
            onChoose={() => {
              onClose();
              onByRule(draft.name);
            }}
          />
        )}
        {isNew && (
          <IdsField text={draft.ids} read={form.read} error={form.errorAt('ids')} onText={(ids) => edit({ ids })} />
        )}
        {!isTrait && <TrackField form={form} />}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}

function NameField({ form: { draft, edit, errorAt } }: { form: AudienceForm }) {
  return (
    <Field label="Name" stacked error={errorAt('name')}>
      {(control) => (
        <Input
          {...control}
          autoFocus
          maxLength={AUDIENCE_LIMITS.name}
          value={draft.name}
          placeholder="High Value Customers"
          onChange={(event) => edit({ name: event.target.value })}
        />
      )}
    </Field>
  );
}

function PropertyField({ form, isLocked }: { form: AudienceForm; isLocked: boolean }) {
  const { draft, edit, errorAt, known, property, wrong } = form;
  const hint = propertyHint(isLocked, draft.typed);
  return (
    <Field
      label="Property"
      stacked
      error={errorAt('property') ?? wrong}
      hint={isLocked ? hint : (clashText(known) ?? hint)}
    >
      {(control) => (
        <Input
          {...control}
          mono
          disabled={isLocked}
          maxLength={AUDIENCE_LIMITS.property}
          value={property}
          onChange={({ target: { value } }) => edit({ typed: value === '' ? null : value })}
          trailing={
            known?.free != null && (
              <Button size="sm" variant="ghost" onClick={() => edit({ typed: known.free })}>
                {`Use ${known.free}`}
              </Button>
            )
          }
        />
      )}
    </Field>
  );
}

const ByRule = ({ onChoose }: { onChoose: () => void }) => (
  <div className={css.members}>
    <span className="muted">Members by hand, or</span>
    <Button size="sm" icon={ListFilter} onClick={onChoose}>
      By rule
    </Button>
  </div>
);

const TrackField = ({ form: { draft, edit } }: { form: AudienceForm }) => (
  <div className={css.track}>
    <Checkbox checked={draft.track} label="Also send track calls" onChange={(track) => edit({ track })} />
    <span>
      Also send track calls, Audience Entered and Audience Exited.{' '}
      <span className="muted">Not part of the specification.</span>
    </span>
  </div>
);

const clashText = (known: PropertyView | null): string | null => {
  const clash = sourceClash(known);
  return clash && `${clash.who} ${clash.how}`;
};

const propertyHint = (isLocked: boolean, typed: string | null): string => {
  if (isLocked) return 'It was synced with this property. Make a copy to send another name.';
  return typed === null ? 'The trait that is sent. It is made from the name.' : 'The trait that is sent.';
};
