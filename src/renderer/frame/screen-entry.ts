import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Records } from '../stores/records.ts';
import type { ScreenId } from '../stores/route.ts';

/** One screen of the app: its place in the sidebar and its content. */
export interface ScreenEntry {
  id: ScreenId;
  label: string;
  /** In the title of the window, when the label is too long for it. */
  title?: string;
  group: '' | 'Delivery' | 'Data' | 'Engine';
  icon: LucideIcon;
  /** The letter after G that goes there. */
  key: string;
  count?: (records: Records) => number | null;
  component: ComponentType;
}
