/** The card of one topic of rules, and a labelled control that is not a single field. */

import { type ReactNode, useId } from 'react';
import cardCss from '../../../components/card.module.css';
import inputCss from '../../../components/input.module.css';
import { cx } from '../../../lib/cx.ts';
import css from './rule-card.module.css';

export function RuleCard({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={cardCss.card} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span className="muted ellipsis">{note}</span>}
      </header>
      <div className={cx(cardCss.body, css.fields)}>{children}</div>
    </section>
  );
}

/** A control that is not a single field, with its label in the place of a field's label. */
export function Choice({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className={inputCss.field}>
      <span className={inputCss.fieldLabel}>{label}</span>
      <div className={inputCss.fieldBody}>
        <div className={css.choice}>{children}</div>
        {hint !== undefined && <p className={inputCss.hint}>{hint}</p>}
      </div>
    </div>
  );
}
