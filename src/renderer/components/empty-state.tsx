import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './empty-state.module.css';

/** Shown in place of data: what is missing and how to get it. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={css.empty}>
      {Icon && <Icon className="icon icon-large" aria-hidden="true" />}
      <p className="medium">{title}</p>
      {children !== undefined && <p className="muted">{children}</p>}
      {actions !== undefined && <div className="flex-row">{actions}</div>}
    </div>
  );
}
