/** The frame of one subject of rules, and a labelled control that is not one field. */
import { type ReactNode, useId } from 'react';

export function RuleCard({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 className="t" id={id}>
          {title}
        </h2>
        {note !== undefined && <span className="t3 el">{note}</span>}
      </header>
      <div className="pad rules-fields">{children}</div>
    </section>
  );
}

/** A control that is not one field, with its label where a field has it. */
export function Choice({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="field-body">
        <div className="rules-choice">{children}</div>
        {hint !== undefined && <p className="field-hint">{hint}</p>}
      </div>
    </div>
  );
}
