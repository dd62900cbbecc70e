/** Small labels: Tag (outline), Token (filter), Badge (filled), Kbd. */
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import type { Tone } from '../lib/words/tone.ts';

export const Tag = ({ children, title }: { children: ReactNode; title?: string }) => (
  <span className="tag" title={title}>
    {children}
  </span>
);

export const Token = ({ children }: { children: ReactNode }) => <span className="tok">{children}</span>;

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
  const hue = tone === 'accent' ? 'acc' : tone === 'quiet' ? '' : tone;
  return <span className={cx('badge', hue, small && 'sm')}>{children}</span>;
}

export const Kbd = ({ children }: { children: ReactNode }) => <kbd>{children}</kbd>;
