import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import { Text } from './text.tsx';
import { Tooltip } from './tooltip.tsx';

type Size = 'sm' | 'md' | 'lg';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  variant?: 'default' | 'primary' | 'ghost' | 'danger';
  size?: Size;
  icon?: LucideIcon;
}

/** 28 px (small 24, large 32). `danger` is red text; ghost has no border. */
export function Button({ variant = 'default', size = 'md', icon: Icon, className, children, ...rest }: ButtonProps) {
  const kind = { default: '', primary: 'pri', ghost: 'ghost', danger: 'ghost danger' }[variant];
  return (
    <button type="button" className={cx('btn', kind, size !== 'md' && size, className)} {...rest}>
      {Icon && <Icon className="ic s14" aria-hidden="true" />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  /** Its name and its tooltip. */
  label: string;
  icon: LucideIcon;
  /** What the tooltip shows instead of the name, e.g. with a key. */
  hint?: ReactNode;
  size?: 'sm' | 'md';
  bordered?: boolean;
  /** Why it does nothing now: it stays in reach, so that the tooltip can say so. */
  unavailable?: string | null;
}

/** A square button with a drawing only. */
export function IconButton({
  label,
  icon: Icon,
  hint,
  size = 'md',
  bordered = false,
  unavailable = null,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={unavailable ?? hint ?? <Text>{label}</Text>}>
      <button
        type="button"
        aria-label={unavailable === null ? label : `${label}: ${unavailable}`}
        aria-disabled={unavailable === null ? undefined : true}
        className={cx('btn ico', !bordered && 'ghost', size === 'sm' && 'sm', className)}
        onClick={unavailable === null ? onClick : undefined}
        {...rest}
      >
        <Icon className="ic s14" aria-hidden="true" />
      </button>
    </Tooltip>
  );
}
