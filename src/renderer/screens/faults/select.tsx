import { ChevronDown } from 'lucide-react';
import css from './faults.module.css';

/** A native choice, as wide as what is chosen. */
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
    <span className={`select-box ${css.select}`}>
      <select
        className="select"
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
      <ChevronDown className="ic s14" aria-hidden="true" />
    </span>
  );
}
