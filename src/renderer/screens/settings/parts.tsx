/** A card of settings, and one setting in it. */

import { type ReactNode, useId } from 'react';
import cardCss from '../../components/card.module.css';
import inputCss from '../../components/input.module.css';
import { cx } from '../../lib/cx.ts';
import css from './parts.module.css';
import settingsCss from './settings.module.css';

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
    <section className={cx(cardCss.card, css.card)} aria-labelledby={id}>
      <header>
        <h2 className={css.title} id={id}>
          {title}
        </h2>
        {note !== undefined && <span className="muted ellipsis">{note}</span>}
        <span className="spacer" />
        {actions}
      </header>
      <div className={css.fields}>{children}</div>
    </section>
  );
}

/** A control that is not a single field, with its label in the place of a field's label. */
export function Setting({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className={inputCss.field}>
      <span className={inputCss.fieldLabel}>{label}</span>
      <div className={inputCss.fieldBody}>
        <div className={settingsCss.control}>{children}</div>
        {hint !== undefined && <p className={inputCss.hint}>{hint}</p>}
      </div>
    </div>
  );
}
