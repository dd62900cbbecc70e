import { type ReactNode, useId } from 'react';
import cardCss from '../../../components/card.module.css';
import { cx } from '../../../lib/cx.ts';
import css from './rule-card.module.css';

/** The card of one topic of rules. */
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
