/** Small labels: Tag (outline), Token (filter), Badge (filled), Kbd. */

import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import type { Tone } from '../lib/words/tone.ts';
import css from './tag.module.css';

export const Tag = ({ children, title }: { children: ReactNode; title?: string }) => (
  <span className={css.tag} title={title}>
    {children}
  </span>
);

export const Token = ({ children }: { children: ReactNode }) => <span className={css.token}>{children}</span>;

/** A filled label in one of the four hues. */
export function Badge({
  tone = 'quiet',
  small = false,
  children,
}: {
  tone?: Tone;
  small?: boolean;
  children: ReactNode;
}) {
  return <span className={cx(css.badge, tone !== 'quiet' && css[tone], small && css.small)}>{children}</span>;
}

export const Kbd = ({ children }: { children: ReactNode }) => <kbd>{children}</kbd>;
