/** Static headers of one webhook. A stored secret value is never shown: it can be replaced or removed. */
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { HeaderView, WebhookView } from '../../../contract/values.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Input } from '../../components/input.tsx';
import { plural } from '../../lib/format.ts';
import { saveWebhook } from './actions.ts';

export const MAX_HEADERS = 50;

interface Row {
  key: number;
  name: string;
  /** Null: the stored value, which this window does not know. */
  value: string | null;
  hiddenLength: number;
}

interface RowError {
  row: number;
  part: 'name' | 'value';
  text: string;
}

let lastKey = 0;
const toRow = (header: HeaderView): Row => ({
  key: ++lastKey,
  name: header.name,
  value: 'value' in header ? header.value : null,
  hiddenLength: 'value' in header ? 0 : header.hiddenLength,
});
const isBlank = (row: Row): boolean => row.name.trim() === '' && row.value === '';

export function HeaderEditor({ hook }: { hook: WebhookView }) {
  const [rows, setRows] = useState<Row[]>(() => hook.headers.map(toRow));
  const [error, setError] = useState<RowError | null>(null);
  const savedAs = useRef(fingerprint(rows));

  const save = async (next: Row[]) => {
    const full = next.filter((row) => !isBlank(row));
    if (fingerprint(full) === savedAs.current) return setError(null);
    const nameless = full.find((row) => row.name.trim() === '');
    if (nameless !== undefined) return setError({ row: nameless.key, part: 'name', text: 'Enter a header name.' });
    try {
      const saved = await saveWebhook(hook, {
        headers: full.map(({ name, value }) => ({ name: name.trim(), value })),
      });
      const after = full.map((row, i) => withStored(row, saved.headers[i]));
      savedAs.current = fingerprint(after);
      setError(null);
      setRows((now) => now.map((row) => after.find(({ key }) => key === row.key && unchanged(row, full)) ?? row));
    } catch (failure) {
      setError(place(failure, full));
    }
  };
  const change = (key: number, part: Partial<Row>) =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const remove = (key: number) => {
    const next = rows.filter((row) => row.key !== key);
    setRows(next);
    void save(next);
  };
  const commit = () => void save(rows);

  return (
    <div className="field">
      <span className="field-label">Static headers</span>
      <div className="hrs">
        <div className="hr-list">
          {rows.map((row) => (
            <HeaderRow
              key={row.key}
              row={row}
              error={error?.row === row.key ? error : null}
              onChange={(part) => change(row.key, part)}
              onCommit={commit}
              onRemove={() => remove(row.key)}
            />
          ))}
        </div>
        {error !== null && !rows.some((row) => row.key === error.row) && <p className="field-error">{error.text}</p>}
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          className="addh"
          disabled={rows.length >= MAX_HEADERS}
          onClick={() => setRows((now) => [...now, { key: ++lastKey, name: '', value: '', hiddenLength: 0 }])}
        >
          Add header
        </Button>
      </div>
    </div>
  );
}

const fingerprint = (rows: readonly Row[]): string => JSON.stringify(rows.map(({ name, value }) => [name, value]));

/** True while nobody typed on in this row since it was sent. */
const unchanged = (row: Row, sent: readonly Row[]): boolean =>
  sent.some((other) => other.key === row.key && other.name === row.name && other.value === row.value);

function withStored(row: Row, stored: HeaderView | undefined): Row {
  return stored === undefined ? row : { ...toRow(stored), key: row.key };
}

/** Puts the engine's error under the field that it names. */
function place(failure: unknown, sent: readonly Row[]): RowError {
  const text = failureText(failure);
  const field = failure instanceof ContractError ? failure.field : undefined;
  const match = /^headers\.(\d+)(?:\.(name|value))?$/.exec(field ?? '');
  const row = match === null ? undefined : sent[Number(match[1])];
  return { row: row?.key ?? -1, part: match?.[2] === 'value' ? 'value' : 'name', text };
}

function HeaderRow({
  row,
  error,
  onChange,
  onCommit,
  onRemove,
}: {
  row: Row;
  error: RowError | null;
  onChange: (part: Partial<Row>) => void;
  onCommit: () => void;
  onRemove: () => void;
}) {
  const errorId = `header-error-${row.key}`;
  const onEnter = (event: { key: string }) => event.key === 'Enter' && onCommit();
  const fresh = row.name === '' && row.value === '';
  const hidden = row.value === null;
  const told = (part: RowError['part']) => (error?.part === part ? { invalid: true, 'aria-describedby': errorId } : {});
  return (
    <div className="hr">
      <Input
        mono
        aria-label="Header name"
        placeholder="X-Tenant"
        maxLength={256}
        readOnly={hidden}
        autoFocus={fresh}
        value={row.name}
        onChange={(event) => onChange({ name: event.target.value })}
        onBlur={onCommit}
        onKeyDown={onEnter}
        {...told('name')}
      />
      {hidden ? (
        <span className="inp mono">
          <span className="t2 el">hidden, {plural(row.hiddenLength, 'character')}</span>
          <span className="sp" />
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Replace the value of ${row.name}`}
            onClick={() => onChange({ value: '' })}
          >
            Replace
          </Button>
        </span>
      ) : (
        <Input
          mono
          aria-label={`Value of ${row.name === '' ? 'the new header' : row.name}`}
          placeholder="Value"
          maxLength={8192}
          autoFocus={!fresh && row.value === ''}
          value={row.value ?? ''}
          onChange={(event) => onChange({ value: event.target.value })}
          onBlur={onCommit}
          onKeyDown={onEnter}
          {...told('value')}
        />
      )}
      <IconButton label={`Remove header ${row.name}`} icon={X} onClick={onRemove} />
      {error !== null && (
        <p id={errorId} className="field-error">
          {error.text}
        </p>
      )}
    </div>
  );
}
