import { CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import css from './banner.module.css';
import toneCss from './tone.module.css';

const ICONS: Record<'info' | 'ok' | 'warn' | 'bad', LucideIcon> = {
  info: Info,
  ok: CircleCheck,
  warn: TriangleAlert,
  bad: TriangleAlert,
};

/** Says what happened, why, and what to do, with the action beside it. A screen reader reads `alert` at once. */
export function Banner({
  tone = 'info',
  icon,
  title,
  children,
  actions,
  alert = false,
  page = false,
  className,
}: {
  tone?: 'info' | 'ok' | 'warn' | 'bad';
  icon?: LucideIcon;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  alert?: boolean;
  /** Stands under the head of a screen. */
  page?: boolean;
  className?: string;
}) {
  const Icon = icon ?? ICONS[tone];
  return (
    <div
      className={cx(css.banner, tone !== 'info' && css[tone], page && css.page, className)}
      role={alert ? 'alert' : undefined}
    >
      <Icon className="icon" aria-hidden="true" />
      <div className={css.text}>
        {title !== undefined && <b className={cx('medium', toneCss.strong)}>{title} </b>}
        {children}
      </div>
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
