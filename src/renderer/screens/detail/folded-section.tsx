import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import css from './detail.module.css';

/** A section that starts folded. What is in it is not rendered until it is opened. */
export function FoldedSection({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={css.round} aria-label={title}>
      <h3>
        <button
          type="button"
          className={cx(css.roundHead, css.sectionHead)}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight className={cx('icon', css.chevron)} aria-hidden="true" />
          <span className="medium nowrap">{title}</span>
          <span className="muted ellipsis">{note}</span>
        </button>
      </h3>
      {open && children}
    </section>
  );
}
