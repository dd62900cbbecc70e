/**
 * Static headers of one webhook. A stored value is hidden unless the user chooses to show it. It can be copied,
 * replaced or removed.
 */

import { Eye, EyeOff, Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { HeaderView, WebhookView } from '../../../contract/values.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import inputCss from '../../components/input.module.css';
import { Input } from '../../components/input.tsx';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import { headerValue } from '../../platform/header-value.ts';
import { showFailure } from '../../stores/toasts.ts';
import { saveWebhook } from './actions.ts';
import css from './header-editor.module.css';

export const MAX_HEADERS = 50;

interface Row {
  key: number;
  name: string;
  /** Null: the stored value, which this window does not know. */
  value: string | null;
  hiddenLength: number;
  shown: boolean;
  /** Place in the stored list; null before it is stored. */
  at: number | null;
}

interface RowError {
  row: number;
  part: 'name' | 'value';
  text: string;
}

let lastKey = 0;
const toRow = (header: HeaderView, at: number): Row => ({
  key: ++lastKey,
  name: header.name,
  value: 'value' in header ? header.value : null,
  hiddenLength: 'value' in header ? 0 : header.hiddenLength,
  shown: 'value' in header,
  at,
});
const blankRow = (): Row => ({ key: ++lastKey, name: '', value: '', hiddenLength: 0, shown: false, at: null });
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
        headers: full.map(({ name, value, shown, at }) => ({ name: name.trim(), value, shown, at: at ?? undefined })),
      });
      const after = full.map((row, i) => withStored(row, saved.headers[i], i));
      savedAs.current = fingerprint(after);
      setError(null);
      setRows((now) => now.map((row) => afterSave(row, full, after)));
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
  const show = (key: number, shown: boolean) => {
    const next = rows.map((row) => (row.key === key ? { ...row, shown } : row));
    setRows(next);
    // A header that is still being typed is saved when it loses focus.
    if (next.find((row) => row.key === key)?.at !== null) void save(next);
  };

  return (
    <div className={inputCss.field}>
      <span className={inputCss.fieldLabel}>Static headers</span>
      <div className={css.headers}>
        <div className={css.list}>
          {rows.map((row) => (
            <HeaderRow
              key={row.key}
              hookId={hook.id}
              row={row}
              error={error?.row === row.key ? error : null}
              onChange={(part) => change(row.key, part)}
              onCommit={commit}
              onShow={(shown) => show(row.key, shown)}
              onRemove={() => remove(row.key)}
            />
          ))}
        </div>
        {error !== null && !rows.some((row) => row.key === error.row) && <p className={inputCss.error}>{error.text}</p>}
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          disabled={rows.length >= MAX_HEADERS}
          onClick={() => setRows((now) => [...now, blankRow()])}
        >
          Add header
        </Button>
      </div>
    </div>
  );
}

const fingerprint = (rows: readonly Row[]): string =>
  JSON.stringify(rows.map(({ name, value, shown }) => [name, value, shown]));

/** True while nobody has typed in this row since it was sent. */
const unchanged = (row: Row, sent: readonly Row[]): boolean =>
  sent.some((other) => other.key === row.key && fingerprint([other]) === fingerprint([row]));

function withStored(row: Row, stored: HeaderView | undefined, at: number): Row {
  return stored === undefined ? row : { ...toRow(stored, at), key: row.key };
}

/** A row as it is stored now. A field that was typed in meanwhile keeps its text. */
function afterSave(row: Row, sent: readonly Row[], stored: readonly Row[]): Row {
  const saved = stored.find(({ key }) => key === row.key);
  if (saved === undefined) return row;
  return unchanged(row, sent) ? saved : { ...row, at: saved.at };
}

/** Shows the engine's error under the field that it names. */
function place(failure: unknown, sent: readonly Row[]): RowError {
  const text = failureText(failure);
  const field = failure instanceof ContractError ? failure.field : undefined;
  const match = /^headers\.(\d+)(?:\.(name|value))?$/.exec(field ?? '');
  const row = match === null ? undefined : sent[Number(match[1])];
  return { row: row?.key ?? -1, part: match?.[2] === 'value' ? 'value' : 'name', text };
}

const HIDDEN_HINT = 'Show in clear, here and in attempts from now on';
const SHOWN_HINT = 'Hide, here and in attempts from now on';

/** Null when there is none to copy and the user was told why. */
async function copied(hookId: number, { name, at }: Row): Promise<string | null> {
  try {
    return at === null ? null : await headerValue(hookId, name, at);
  } catch (error) {
    showFailure('copy the value', error);
    return null;
  }
}

function HeaderRow({
  hookId,
  row,
  error,
  onChange,
  onCommit,
  onShow,
  onRemove,
}: {
  hookId: number;
  row: Row;
  error: RowError | null;
  onChange: (part: Partial<Row>) => void;
  onCommit: () => void;
  onShow: (shown: boolean) => void;
  onRemove: () => void;
}) {
  const errorId = `header-error-${row.key}`;
  const onEnter = (event: { key: string }) => event.key === 'Enter' && onCommit();
  const fresh = row.name === '' && row.value === '';
  const hidden = row.value === null;
  const told = (part: RowError['part']) => (error?.part === part ? { invalid: true, 'aria-describedby': errorId } : {});
  return (
    <div className={css.header}>
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
        <span className={cx('mono', inputCss.box)}>
          <span className="secondary ellipsis">hidden, {plural(row.hiddenLength, 'character')}</span>
          <span className="spacer" />
          <CopyButton text={() => copied(hookId, row)} label={`Copy the value of ${row.name}`} />
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
      <IconButton
        label={row.shown ? `Hide the value of ${row.name}` : `Show the value of ${row.name} in clear`}
        hint={row.shown ? SHOWN_HINT : HIDDEN_HINT}
        icon={row.shown ? EyeOff : Eye}
        onClick={() => onShow(!row.shown)}
      />
      <IconButton label={`Remove header ${row.name}`} icon={X} onClick={onRemove} />
      {error !== null && (
        <p id={errorId} className={inputCss.error}>
          {error.text}
        </p>
      )}
    </div>
  );
}
