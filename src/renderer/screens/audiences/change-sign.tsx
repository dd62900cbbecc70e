import type { ChangeKind } from '../../../contract/audiences.ts';
import { cx } from '../../lib/cx.ts';
import css from './change-sign.module.css';

const SIGNS = { add: '+', remove: '\u2212', change: '~' };

/** A square with a sign. The word for it stands beside it. */
export const ChangeSign = ({ change }: { change: ChangeKind }) => (
  <span className={cx(css.sign, css[change])} aria-hidden="true">
    {SIGNS[change]}
  </span>
);
