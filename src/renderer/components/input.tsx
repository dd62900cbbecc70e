/** Text entry: Input, TextArea, SearchInput, and Field, which ties a label, a hint and an error to one control. */

import { Search } from 'lucide-react';
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { cx } from '../lib/cx.ts';
import css from './input.module.css';

export interface InputProps extends Omit<ComponentPropsWithRef<'input'>, 'size'> {
  /** For ids, URLs and headers: monospaced and always left to right. */
  mono?: boolean;
  invalid?: boolean;
  leading?: ReactNode;
  trailing?: ReactNode;
  boxClassName?: string;
}

/** One line in a 30 px box. Without a Field give it an `aria-label`. */
export function Input({
  mono = false,
  invalid = false,
  leading,
  trailing,
  boxClassName,
  className,
  ...rest
}: InputProps) {
  return (
    <span className={cx(css.box, mono && 'mono', invalid && css.invalid, boxClassName)}>
      {leading}
      <input
        type="text"
        className={className}
        dir={mono ? 'ltr' : 'auto'}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={invalid || undefined}
        {...rest}
      />
      {trailing}
    </span>
  );
}

/** Several lines, monospaced and left to right. Unwrapped, a long line scrolls and stays one. */
export const TextArea = ({
  invalid = false,
  unwrapped = false,
  ...rest
}: ComponentPropsWithRef<'textarea'> & { invalid?: boolean; unwrapped?: boolean }) => (
  <textarea
    className={cx(css.area, unwrapped && css.unwrapped)}
    dir="ltr"
    autoComplete="off"
    spellCheck={false}
    aria-invalid={invalid || undefined}
    {...rest}
  />
);

/** A search box. The first Escape clears it, the second leaves it. */
export function SearchInput({
  value,
  onValue,
  label,
  ...rest
}: Omit<InputProps, 'value' | 'onChange' | 'leading'> & {
  value: string;
  onValue: (text: string) => void;
  label: string;
}) {
  return (
    <Input
      {...rest}
      type="text"
      role="searchbox"
      aria-label={label}
      value={value}
      leading={<Search className="icon" aria-hidden="true" />}
      onChange={(event) => onValue(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return rest.onKeyDown?.(event);
        event.stopPropagation();
        if (value === '') event.currentTarget.blur();
        else onValue('');
      }}
    />
  );
}

/** The props that a Field passes to its control. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  invalid: boolean;
}

/** Label and control, with the error (or else the hint) below, linked by `aria-describedby`. */
export function Field({
  label,
  error,
  hint,
  stacked = false,
  children,
}: {
  label: ReactNode;
  error?: string | null;
  hint?: ReactNode;
  stacked?: boolean;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const wrong = error !== undefined && error !== null && error !== '';
  const about = wrong ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className={cx(css.field, stacked && css.stacked)}>
      <label htmlFor={id}>{label}</label>
      <div className={css.fieldBody}>
        {children({ id, 'aria-describedby': about, invalid: wrong })}
        {wrong ? (
          <p id={`${id}-error`} className={css.error}>
            {error}
          </p>
        ) : (
          hint !== undefined && (
            <p id={`${id}-hint`} className={css.hint}>
              {hint}
            </p>
          )
        )}
      </div>
    </div>
  );
}
