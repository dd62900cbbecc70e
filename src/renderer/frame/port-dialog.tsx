import { type FormEvent, useId, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, Input } from '../components/input.tsx';

/** The port that a text names, 1 to 65535, or null. */
export function portOf(text: string): number | null {
  if (!/^\d{1,5}$/.test(text.trim())) return null;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : null;
}

interface PortDialogProps {
  open: boolean;
  /** The initial value of the field. */
  first: number;
  busy: boolean;
  /** Resolves with what is wrong with the port, or null when ingest listens on it. */
  onListen: (port: number) => Promise<string | null>;
  onClose: () => void;
}

/** Asks for the ingest port. A port in use is reported under the field, and the dialog stays. */
export function PortDialog(props: PortDialogProps) {
  const form = useId();
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title="Choose a port"
      width={400}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" disabled={props.busy}>
            Listen
          </Button>
        </>
      }
    >
      <PortForm id={form} {...props} />
    </Dialog>
  );
}

/** Mounted with the dialog, so it starts fresh each time. */
function PortForm({ id, first, busy, onListen, onClose }: PortDialogProps & { id: string }) {
  const [text, setText] = useState(String(first));
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const port = portOf(text);
    if (port === null) return setError('Enter a port from 1 to 65535.');
    const wrong = await onListen(port);
    if (wrong === null) onClose();
    else setError(wrong);
  };
  return (
    <form id={id} noValidate onSubmit={(event) => void submit(event)}>
      <Field label="Port" error={error} hint="SDKs must point at this port. It is kept for the next start.">
        {(control) => (
          <Input
            {...control}
            mono
            inputMode="numeric"
            maxLength={5}
            autoFocus
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
          />
        )}
      </Field>
    </form>
  );
}
