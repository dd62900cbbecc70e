import { useState } from 'react';
import { CONTENT_TYPE_PATTERN, FAULT_LIMITS } from '../../../contract/fault-limits.ts';
import type { FaultAction } from '../../../contract/faults.ts';
import inputCss from '../../components/input.module.css';
import { Input } from '../../components/input.tsx';
import { NumberBox } from '../../components/number-box.tsx';
import { Select } from '../../components/select.tsx';
import css from './action-fields.module.css';

type Change = (action: FaultAction) => void;

/** The fields of one kind of fault. */
export function ActionFields({ action, name, onChange }: { action: FaultAction; name: string; onChange: Change }) {
  switch (action.kind) {
    case 'status':
      return <StatusFields action={action} name={name} onChange={onChange} />;
    case 'delay':
    case 'stall':
      return (
        <NumberBox
          label={`${name}: milliseconds`}
          value={action.ms}
          unit="ms"
          min={1}
          max={action.kind === 'delay' ? FAULT_LIMITS.delayMs : FAULT_LIMITS.stallMs}
          onCommit={(ms) => ms !== null && onChange({ ...action, ms })}
        />
      );
    case 'reset':
      return (
        <Select
          label={`${name}: when it is reset`}
          value={action.when}
          options={[
            { value: 'before', label: 'before reading' },
            { value: 'after', label: 'after reading' },
          ]}
          onChange={(when) => onChange({ kind: 'reset', when })}
        />
      );
    case 'empty':
      return null;
    case 'content_type':
      return <TypeField action={action} name={name} onChange={onChange} />;
    case 'drip':
      return (
        <NumberBox
          label={`${name}: bytes a second`}
          value={action.bytesPerSecond}
          unit="B/s"
          min={1}
          max={FAULT_LIMITS.bytesPerSecond}
          onCommit={(bytesPerSecond) => bytesPerSecond !== null && onChange({ kind: 'drip', bytesPerSecond })}
        />
      );
  }
}

function StatusFields({
  action,
  name,
  onChange,
}: {
  action: Extract<FaultAction, { kind: 'status' }>;
  name: string;
  onChange: Change;
}) {
  return (
    <>
      <NumberBox
        label={`${name}: status`}
        value={action.status}
        unit=""
        min={200}
        max={599}
        onCommit={(status) => status !== null && onChange({ ...action, status })}
      />
      <span className="secondary">Retry-After</span>
      <NumberBox
        label={`${name}: Retry-After in seconds, empty for none`}
        value={action.retryAfter}
        unit="s"
        min={0}
        max={FAULT_LIMITS.retryAfterSeconds}
        empty="none"
        onCommit={(retryAfter) => onChange({ ...action, retryAfter })}
      />
      {action.retryAfter !== null && (
        <Select
          label={`${name}: how Retry-After is written`}
          value={action.retryAfterForm}
          options={[
            { value: 'seconds', label: 'in seconds' },
            { value: 'date', label: 'as a date' },
          ]}
          onChange={(retryAfterForm) => onChange({ ...action, retryAfterForm })}
        />
      )}
    </>
  );
}

/** Saves on blur and Enter. Escape restores the saved value. */
function TypeField({
  action,
  name,
  onChange,
}: {
  action: Extract<FaultAction, { kind: 'content_type' }>;
  name: string;
  onChange: Change;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const commit = () => {
    if (draft === null) return;
    const contentType = draft.trim();
    if (!CONTENT_TYPE_PATTERN.test(contentType) || contentType.length > 100) return setWrong(true);
    setDraft(null);
    if (contentType !== action.contentType) onChange({ kind: 'content_type', contentType });
  };
  return (
    <span>
      <Input
        mono
        invalid={wrong}
        boxClassName={css.type}
        aria-label={`${name}: content type`}
        value={draft ?? action.contentType}
        onChange={(event) => {
          setDraft(event.target.value);
          setWrong(false);
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) commit();
          if (event.key !== 'Escape' || draft === null) return;
          event.stopPropagation();
          setDraft(null);
          setWrong(false);
        }}
      />
      {wrong && (
        <span className={inputCss.error} role="alert">
          Enter a content type such as text/html.
        </span>
      )}
    </span>
  );
}
