import { Globe, type LucideIcon, Server, Smartphone } from 'lucide-react';
import type { SourceView } from '../../contract/values.ts';

type Kind = SourceView['kind'];
const ICONS: Record<Kind, LucideIcon> = { web: Globe, server: Server, mobile: Smartphone };
export const KIND_WORDS: Record<Kind, string> = { web: 'Web', server: 'Server', mobile: 'Mobile' };
export const KINDS: readonly Kind[] = ['server', 'web', 'mobile'];

export function KindIcon({ kind }: { kind: Kind }) {
  const Icon = ICONS[kind];
  return <Icon className="icon icon-large muted" aria-hidden="true" />;
}
