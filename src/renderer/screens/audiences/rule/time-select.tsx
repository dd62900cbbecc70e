import { SmallSelect } from './small-select.tsx';
import { windowOptions } from './words.ts';

/** For how long a call counts; null for as long as it is stored. */
export const TimeSelect = ({
  withinMs,
  onChange,
}: {
  withinMs: number | null;
  onChange: (withinMs: number | null) => void;
}) => (
  <SmallSelect
    label="Time"
    value={withinMs === null ? '' : String(withinMs)}
    options={windowOptions(withinMs)}
    onChange={(next) => onChange(next === '' ? null : Number(next))}
  />
);
