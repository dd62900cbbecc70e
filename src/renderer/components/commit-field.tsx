import { type ReactNode, useRef, useState } from 'react';
import { ContractError } from '../../contract/errors.ts';
import { Field, Input } from './input.tsx';

/** The error text of a failed save, shown under its field. */
export const failureText = (error: unknown): string =>
  error instanceof ContractError ? error.message : 'Something failed in this window. Nothing was saved.';

/**
 * A text field that saves itself on blur and Enter. Escape restores the saved text. A refused text stays for the user
 * to correct.
 */
export function CommitField({
  label,
  value,
  onCommit,
  hint,
  mono = false,
  placeholder,
  maxLength,
  autoFocus = false,
  stacked = false,
}: {
  label: string;
  value: string;
  /** Saves. A rejection is shown as the error under the field. */
  onCommit: (text: string) => Promise<unknown>;
  hint?: ReactNode;
  mono?: boolean;
  placeholder?: string;
  maxLength?: number;
  autoFocus?: boolean;
  stacked?: boolean;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const sent = useRef<string | null>(null);

  const commit = async () => {
    if (draft === null || draft === sent.current) return;
    if (draft.trim() === value) return revert();
    sent.current = draft;
    try {
      await onCommit(draft.trim());
      setError(null);
      // Text typed during the save is a new draft.
      setDraft((now) => (now === draft ? null : now));
      sent.current = null;
    } catch (failure) {
      setError(failureText(failure));
    }
  };
  const revert = () => {
    sent.current = null;
    setDraft(null);
    setError(null);
  };
  return (
    <Field label={label} error={error} hint={hint} stacked={stacked}>
      {(control) => (
        <Input
          {...control}
          mono={mono}
          placeholder={placeholder}
          maxLength={maxLength}
          autoFocus={autoFocus}
          value={draft ?? value}
          onChange={(event) => {
            sent.current = null;
            setDraft(event.target.value);
          }}
          onBlur={() => void commit()}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) void commit();
            if (event.key === 'Escape' && draft !== null) {
              event.stopPropagation();
              revert();
            }
          }}
        />
      )}
    </Field>
  );
}
