import { ChevronDown } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import inputCss from './input.module.css';
import css from './select.module.css';

/** A native select, as wide as the chosen option. */
export function Select<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: ReadonlyArray<{ value: V; label: string }>;
  onChange: (value: V) => void;
}) {
  return (
    <span className={cx(inputCss.selectBox, css.select)}>
      <select
        className={inputCss.select}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value as V)}
      >
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
