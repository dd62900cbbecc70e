import { ChevronDown } from 'lucide-react';
import { cx } from '../../../lib/cx.ts';
import css from './fields.module.css';

/** A native select in a row of fields, as wide as the chosen option. */
export function SmallSelect<V extends string>({
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
    <span className={cx(css.box, css.select)}>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value as V)}>
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
