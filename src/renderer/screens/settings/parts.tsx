/** A card of settings. */

import { type ReactNode, useId } from 'react';
import cardCss from '../../components/card.module.css';
import { cx } from '../../lib/cx.ts';
import css from './parts.module.css';

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
