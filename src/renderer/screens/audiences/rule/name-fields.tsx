import { TriangleAlert } from 'lucide-react';
import { AUDIENCE_LIMITS, type AudienceRow, type PropertyView } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { Field, Input } from '../../../components/input.tsx';
import { Text } from '../../../components/text.tsx';
import { sourceClash } from '../words.ts';
import css from './rule-editor.module.css';

/** Name and property, with what is wrong with either. */
export function NameFields({
  audience,
  name,
  typed,
  known,
  nameError,
  propertyError,
  placeholder = 'Repeat Buyers (EU)',
  onName,
  onProperty,
}: {
  /** Null for a new one. */
  audience: AudienceRow | null;
  name: string;
  /** The property as typed; null when it is made from the name. */
  typed: string | null;
  known: PropertyView | null;
  nameError: string | null;
  propertyError: string | null;
  placeholder?: string;
  onName: (name: string) => void;
  onProperty: (property: string | null) => void;
}) {
  const isLocked = audience?.propertyLocked ?? false;
  const property = typed ?? (name.trim() === '' ? '' : (known?.property ?? ''));
  const clash = sourceClash(known);
  const use = known?.free != null && (
    <Button size="sm" onClick={() => onProperty(known.free)}>{`Use ${known.free}`}</Button>
  );
  return (
    <div className={css.names}>
      <Field label="Name" stacked error={nameError}>
        {({ invalid, ...control }) => (
          <Input
            {...control}
            invalid={invalid}
            autoFocus={audience === null && name === ''}
            maxLength={AUDIENCE_LIMITS.name}
            value={name}
            placeholder={placeholder}
            onChange={(event) => onName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Trait sent" stacked error={propertyError}>
        {({ invalid, ...control }) => (
          <Input
            {...control}
            mono
            invalid={invalid}
            boxClassName={clash !== null && !isLocked ? css.warned : undefined}
            disabled={isLocked}
            maxLength={AUDIENCE_LIMITS.property}
            value={property}
            onChange={(event) => onProperty(event.target.value === '' ? null : event.target.value)}
            trailing={typed === null && property !== '' && <span className={css.fromName}>from the name</span>}
          />
        )}
      </Field>
      <div className={css.about}>
        <p className="spacer">
          {isLocked
            ? 'It was synced with this property. Make a copy to send another name.'
            : 'Lower case; each run of spaces and signs becomes one underscore, none at either end.'}
        </p>
        {clash === null && !isLocked && use}
      </div>
      {clash !== null && !isLocked && (
        <div className={css.clash} role="status">
          <TriangleAlert className="icon" aria-hidden="true" />
          <p className="spacer">
            <b className="medium">
              <Text>{clash.who}</Text>
            </b>{' '}
            {clash.how}
          </p>
          {use}
        </div>
      )}
    </div>
  );
}
