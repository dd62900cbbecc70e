import { type FormEvent, useId, useState } from 'react';
import type { ReceiverView } from '../../../contract/receivers.ts';
import { Button } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { saveReceiver } from './actions.ts';
import { NameField } from './name-field.tsx';

/** Changes the name. The path stays, because webhooks lead to it. */
export function RenameReceiver({ receiver, onClose }: { receiver: ReceiverView; onClose: () => void }) {
  const form = useId();
  const [name, setName] = useState(receiver.name);
  const [error, setError] = useState<string | null>(null);
  const rename = (next: string) => {
    setName(next);
    setError(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setError('Enter a name.');
    try {
      await saveReceiver(receiver, { name });
      onClose();
    } catch (failure) {
      setError(failureText(failure));
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rename the receiver"
      width={400}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary">
            Rename
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)}>
        <NameField
          name={name}
          hint="Its path stays the same, because webhooks use it."
          error={error}
          onChange={rename}
        />
      </form>
    </Dialog>
  );
}
