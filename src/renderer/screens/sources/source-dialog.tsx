import { useRef, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { SourceView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Seg } from '../../components/controls.tsx';
import { Dialog } from '../../components/dialog.tsx';
import inputCss from '../../components/input.module.css';
import { Field, Input } from '../../components/input.tsx';
import { KIND_WORDS, KINDS } from '../../components/source-kind.tsx';
import { cx } from '../../lib/cx.ts';
import { call } from '../../platform/connect.ts';
import { applySource } from '../../stores/records.ts';
import css from './source-dialog.module.css';

/** The initial source of the dialog: one to edit, or a new one, perhaps with the key of held calls. */
export type SourceDraft = Pick<SourceView, 'name' | 'writeKey' | 'kind' | 'enabled' | 'webhooks'> & { id?: number };

export const newSource = (writeKey = ''): SourceDraft => ({
  name: '',
  writeKey,
  kind: 'server',
  enabled: true,
  webhooks: true,
});

/** Name, kind and write key of a source. */
export function SourceDialog({
  start,
  onClose,
  onSaved,
}: {
  start: SourceDraft;
  onClose: () => void;
  onSaved: (source: SourceView) => void;
}) {
  const [draft, setDraft] = useState(start);
  const [error, setError] = useState<{ field: 'name' | 'writeKey'; text: string } | null>(null);
  const busy = useRef(false);
  const isNew = start.id === undefined;

  const save = async () => {
    if (busy.current) return;
    if (draft.name.trim() === '') return setError({ field: 'name', text: 'Enter a name.' });
    if (!isNew && draft.writeKey.trim() === '') return setError({ field: 'writeKey', text: 'Enter a write key.' });
    busy.current = true;
    try {
      const { id, name, kind, enabled, webhooks } = draft;
      const writeKey = draft.writeKey.trim() === '' ? undefined : draft.writeKey;
      const saved = await call('sources.save', { id, name, writeKey, kind, enabled, webhooks });
      applySource(saved);
      onSaved(saved);
    } catch (failure) {
      setError(place(failure));
    } finally {
      busy.current = false;
    }
  };
  const change = (part: Partial<SourceDraft>) => {
    setDraft((now) => ({ ...now, ...part }));
    setError(null);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'Add source' : 'Edit source'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => void save()}>
            {isNew ? 'Add source' : 'Save source'}
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
      >
        <Field label="Name" stacked error={error?.field === 'name' ? error.text : null}>
          {(control) => (
            <Input
              {...control}
              maxLength={100}
              value={draft.name}
              placeholder="checkout-api"
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <div className={cx(inputCss.field, inputCss.stacked)}>
          <span className={inputCss.fieldLabel}>Kind</span>
          <Seg
            label="Kind"
            value={draft.kind}
            options={KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
            onChange={(kind) => change({ kind })}
          />
        </div>
        <Field
          label="Write key"
          stacked
          error={error?.field === 'writeKey' ? error.text : null}
          hint={
            isNew ? 'If left empty, Hookbench makes one.' : 'After the change, calls with the present key are rejected.'
          }
        >
          {(control) => (
            <Input
              {...control}
              mono
              maxLength={200}
              value={draft.writeKey}
              onChange={(event) => change({ writeKey: event.target.value })}
            />
          )}
        </Field>
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}

function place(failure: unknown): { field: 'name' | 'writeKey'; text: string } {
  const key = failure instanceof ContractError && (failure.field === 'writeKey' || failure.code === 'write_key_taken');
  const text = failureText(failure);
  return { field: key ? 'writeKey' : 'name', text: text.charAt(0).toUpperCase() + text.slice(1) };
}
