import { cx } from '../lib/cx.ts';
import css from './dot.module.css';

/** Green while something is on, a grey ring while it is off. Decoration. */
export const Dot = ({ on = true }: { on?: boolean }) => (
  <span className={cx(css.dot, !on && css.idle)} aria-hidden="true" />
);
