import { Building2, CircleHelp, FileText, Link2, type LucideIcon, Smartphone, Trash2, User, Zap } from 'lucide-react';
import type { CallTypeName } from '../../contract/values.ts';
import { cx } from '../lib/cx.ts';
import layoutCss from './layout.module.css';

const ICONS: Record<CallTypeName, LucideIcon> = {
  track: Zap,
  identify: User,
  page: FileText,
  screen: Smartphone,
  group: Building2,
  alias: Link2,
  delete: Trash2,
  unknown: CircleHelp,
};

/** The drawing of a call type; decoration. */
export function TypeIcon({ type, small = true }: { type: CallTypeName; small?: boolean }) {
  const Icon = ICONS[type];
  return <Icon className={cx('icon', !small && 'icon-large')} aria-hidden="true" />;
}

/** Icon and word, as in a list row. The icon alone when there is little room. */
export const TypeLabel = ({ type, tight = false }: { type: CallTypeName; tight?: boolean }) => (
  <span className={cx('flex-row secondary', layoutCss.gap6)}>
    <TypeIcon type={type} />
    <span className={tight ? 'visually-hidden' : undefined}>{type}</span>
  </span>
);
