import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import css from './button.module.css';
import { Text } from './text.tsx';
import { Tooltip } from './tooltip.tsx';

type Size = 'sm' | 'md' | 'lg';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  variant?: 'default' | 'primary' | 'ghost' | 'danger' | 'destructive';
  size?: Size;
  icon?: LucideIcon;
  /** A borderless button at the end of a row. Its text ends flush with the rows. */
  flushEnd?: boolean;
}

const VARIANTS = {
  default: undefined,
  primary: css.primary,
  ghost: css.ghost,
  danger: cx(css.ghost, css.danger),
  destructive: cx(css.primary, css.destructive),
};
const SIZES = { sm: css.small, md: undefined, lg: css.large };

/** 28 px (small 24, large 32). `danger` is red text, `destructive` red on red; ghost has no border. */
export function Button({
  variant = 'default',
  size = 'md',
  icon: Icon,
  flushEnd = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={cx(css.button, VARIANTS[variant], SIZES[size], flushEnd && css.flushEnd, className)}
      {...rest}
    >
      {Icon && <Icon className="icon" aria-hidden="true" />}
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
  /** Why it is disabled. It stays focusable, so that the tooltip can say so. */
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
        className={cx(css.button, css.square, !bordered && css.ghost, size === 'sm' && css.small, className)}
        onClick={unavailable === null ? onClick : undefined}
        {...rest}
      >
        <Icon className="icon" aria-hidden="true" />
      </button>
    </Tooltip>
  );
}
