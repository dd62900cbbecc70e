import type { ReactNode } from 'react';
import inputCss from './input.module.css';
import css from './setting.module.css';

/** A control that is not a single field, with its label in the place of a field's label. */
export function Setting({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className={inputCss.field}>
      <span className={inputCss.fieldLabel}>{label}</span>
      <div className={inputCss.fieldBody}>
        <div className={css.control}>{children}</div>
        {hint !== undefined && <p className={inputCss.hint}>{hint}</p>}
      </div>
    </div>
  );
}
