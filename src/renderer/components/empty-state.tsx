import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** What stands where data would be: what is missing and the way to get it. */
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
    <div className="empty">
      {Icon && <Icon className="ic" aria-hidden="true" />}
      <p className="b5">{title}</p>
      {children !== undefined && <p className="t3">{children}</p>}
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  );
}
