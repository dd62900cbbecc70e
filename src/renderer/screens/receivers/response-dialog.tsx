import { ChevronDown } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { ReceiverResponse, ReceiverResponseKind } from '../../../contract/receivers.ts';
import { Button } from '../../components/button.tsx';
import { Seg } from '../../components/controls.tsx';
import { Dialog } from '../../components/dialog.tsx';
import inputCss from '../../components/input.module.css';
import { Field, type FieldControl, Input, TextArea } from '../../components/input.tsx';
import css from './response-dialog.module.css';
import { type DraftField, draftOf, type ResponseDraft, readDraft } from './response-form.ts';

const KINDS: Record<ReceiverResponseKind, string> = {
  status: 'Status, headers and body',
  redirect: 'Redirect',
  throttle: '429 with Retry-After',
  hang: 'Hold open, then close',
  reset: 'Reset before the answer',
  reset_during: 'Reset during the answer',
  close: 'Close without an answer',
  drip: 'Drip byte by byte',
  endless: 'Endless body',
  huge_headers: 'Large headers',
  invalid_http: 'Not HTTP',
};
const FIELDS: Record<ReceiverResponseKind, readonly DraftField[]> = {
  status: ['status', 'headers', 'body'],
  redirect: ['redirectStatus', 'location'],
  throttle: ['retryAfter'],
  hang: ['holdMs'],
  reset: [],
  reset_during: ['part'],
  close: [],
  drip: ['part', 'bytesPerSecond', 'status'],
  endless: ['status'],
  huge_headers: ['bytes'],
  invalid_http: ['variant'],
};
const LABELS: Record<DraftField, string> = {
  kind: 'Response',
  status: 'Status',
  headers: 'Headers',
  body: 'Body',
  redirectStatus: 'Status',
  location: 'Location',
  holdMs: 'Hold for (ms)',
  part: 'Where',
  bytesPerSecond: 'Bytes a second',
  bytes: 'Bytes of headers',
  variant: 'Bytes',
  retryAfter: 'Retry-After',
};
const HINTS: Partial<Record<DraftField, string>> = {
  headers: 'One per line, as Name: value.',
  location: 'A path or a URL. Hookbench never follows it.',
  retryAfter: 'Seconds, a date, or anything that a receiver might say.',
  holdMs: 'At most 60,000.',
};
const OPTIONS: Partial<Record<DraftField, ReadonlyArray<{ value: string; label: string }>>> = {
  kind: Object.entries(KINDS).map(([value, label]) => ({ value, label })),
  redirectStatus: ['301', '302', '303', '307', '308'].map((value) => ({ value, label: value })),
  variant: [
    { value: 'banner', label: 'A banner of another protocol' },
    { value: 'bad_status', label: 'A bad status line' },
    { value: 'two_lengths', label: 'Two different lengths' },
    { value: 'bad_header', label: 'A line that is no header' },
  ],
};
const PARTS = [
  { value: 'head', label: 'Headers' },
  { value: 'body', label: 'Body' },
] as const;

/** Every field of a response. Nothing changes before it is saved. */
export function ResponseDialog({
  start,
  onSave,
  onClose,
}: {
  start: ReceiverResponse;
  onSave: (response: ReceiverResponse) => void;
  onClose: () => void;
}) {
  const form = useId();
  const [draft, setDraft] = useState<ResponseDraft>(() => draftOf(start));
  const [error, setError] = useState<{ field: DraftField; message: string } | null>(null);
  const set = (field: DraftField, value: string) => {
    setDraft((now) => ({ ...now, [field]: value }));
    setError(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readDraft(draft);
    if (!read.ok) return setError(read);
    onSave(read.response);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Response"
      width={560}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary">
            Save response
          </Button>
        </>
      }
    >
      <form id={form} className={css.form} noValidate onSubmit={submit}>
        {(['kind', ...FIELDS[draft.kind]] as const).map((field) => (
          <DraftControl
            key={field}
            field={field}
            value={draft[field]}
            error={error?.field === field ? error.message : null}
            onChange={(value) => set(field, value)}
          />
        ))}
      </form>
    </Dialog>
  );
}

function DraftControl({
  field,
  value,
  error,
  onChange,
}: {
  field: DraftField;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}) {
  if (field === 'part') {
    return (
      <div className={inputCss.field}>
        <span className={inputCss.fieldLabel}>{LABELS.part}</span>
        <div className={inputCss.fieldBody}>
          <Seg label={LABELS.part} value={value as 'head'} options={PARTS} onChange={onChange} />
        </div>
      </div>
    );
  }
  return (
    <Field label={LABELS[field]} error={error} hint={HINTS[field]}>
      {(control) => controlOf(field, value, control, onChange)}
    </Field>
  );
}

function controlOf(
  field: DraftField,
  value: string,
  control: FieldControl,
  onChange: (value: string) => void,
): ReactNode {
  const { invalid, ...rest } = control;
  const options = OPTIONS[field];
  if (options !== undefined) {
    return (
      <span className={inputCss.selectBox}>
        <select {...rest} className={inputCss.select} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" aria-hidden="true" />
      </span>
    );
  }
  if (field === 'headers' || field === 'body') {
    return (
      <TextArea
        {...control}
        rows={field === 'headers' ? 3 : 6}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return <Input {...control} mono value={value} maxLength={4_096} onChange={(event) => onChange(event.target.value)} />;
}
