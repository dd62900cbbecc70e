import { CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';

const ICONS: Record<'info' | 'ok' | 'warn' | 'bad', LucideIcon> = {
  info: Info,
  ok: CircleCheck,
  warn: TriangleAlert,
  bad: TriangleAlert,
};

/** What happened, why, what to do, with the action beside it. `alert` is read out at once. */
export function Banner({
  tone = 'info',
  icon,
  title,
  children,
  actions,
  alert = false,
  className,
}: {
  tone?: 'info' | 'ok' | 'warn' | 'bad';
  icon?: LucideIcon;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  alert?: boolean;
  className?: string;
}) {
  const Icon = icon ?? ICONS[tone];
  return (
    <div className={cx('note', tone !== 'info' && tone, className)} role={alert ? 'alert' : undefined}>
      <Icon className="ic s14" aria-hidden="true" />
      <div className="note-text">
        {title !== undefined && <b className="b5 tx">{title} </b>}
        {children}
      </div>
      {actions !== undefined && <div className="note-actions">{actions}</div>}
    </div>
  );
}
