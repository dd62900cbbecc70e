import { type KeyboardEvent, useId, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { formatCount } from '../lib/format.ts';
import { wholeNumber } from '../lib/whole-number.ts';
import inputCss from './input.module.css';
import css from './number-box.module.css';

/** A whole number followed by its unit. Saves on blur and Enter; Escape restores the saved number. */
export function NumberBox({
  label,
  value,
  unit,
  min,
  max,
  empty,
  onCommit,
  onWrong,
}: {
  label: string;
  /** Null shows `empty`. */
  value: number | null;
  unit: string;
  min: number;
  max: number;
  /** What an empty field means. Without it, a number is required. */
  empty?: string;
  onCommit: (value: number | null) => void;
  /** Told when a text that cannot be taken stands there, and when none does any more. */
  onWrong?: (isWrong: boolean) => void;
}) {
  const id = useId();
  const saved = value === null ? '' : String(value);
  const [draft, setDraft] = useState<string | null>(null);
  const [wrong, markWrong] = useState(false);
  const setWrong = (isWrong: boolean) => {
    markWrong(isWrong);
    if (isWrong !== wrong) onWrong?.(isWrong);
  };
  const shown = draft ?? saved;

  const revert = () => {
    setDraft(null);
    setWrong(false);
  };
  const commit = () => {
    if (draft === null || draft.trim() === saved) return revert();
    if (draft.trim() === '' && empty !== undefined) {
      revert();
      return onCommit(null);
    }
    const next = wholeNumber(draft, min, max);
    if (next === null) return setWrong(true);
    revert();
    onCommit(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) commit();
    if (event.key === 'Escape' && draft !== null) {
      event.stopPropagation();
      revert();
    }
  };
  return (
    <span className={css.number}>
      <span className={cx(inputCss.box, wrong && inputCss.invalid)}>
        <input
          type="text"
          inputMode="numeric"
          autoComplete="off"
          aria-label={label}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? id : undefined}
          placeholder={empty}
          size={Math.max(1, shown === '' ? (empty?.length ?? 1) : shown.length)}
          value={shown}
          onChange={(event) => {
            setDraft(event.target.value);
            setWrong(false);
          }}
          onBlur={commit}
          onKeyDown={onKeyDown}
        />
        {shown !== '' && <span className="muted ellipsis">{unit}</span>}
      </span>
      {wrong && (
        <span id={id} className={inputCss.error} role="alert">
          {`${formatCount(min)} to ${formatCount(max)}`}
        </span>
      )}
    </span>
  );
}
