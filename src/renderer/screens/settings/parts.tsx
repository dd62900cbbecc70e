/** A card of settings, and one setting in it. */
import { type ReactNode, useId } from 'react';
import css from './settings.module.css';

export function Card({
  title,
  note,
  actions,
  children,
}: {
  title: string;
  note?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`card ${css.card}`} aria-labelledby={id}>
      <header>
        <h2 className={css.title} id={id}>
          {title}
        </h2>
        {note !== undefined && <span className="t3 el">{note}</span>}
        <span className="sp" />
        {actions}
      </header>
      <div className={css.fields}>{children}</div>
    </section>
  );
}

/** A control that is not one field, with its label where a field has it. */
export function Setting({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="field-body">
        <div className={css.control}>{children}</div>
        {hint !== undefined && <p className="field-hint">{hint}</p>}
      </div>
    </div>
  );
}
