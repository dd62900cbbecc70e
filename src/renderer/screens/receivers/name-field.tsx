import { Field, Input } from '../../components/input.tsx';

/** The name of a receiver, as the first field of a dialog. */
export function NameField(props: {
  name: string;
  hint: string;
  error: string | null;
  onChange: (name: string) => void;
}) {
  const { name, hint, error, onChange } = props;
  return (
    <Field label="Name" error={error} hint={hint}>
      {(control) => (
        <Input {...control} autoFocus maxLength={100} value={name} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
