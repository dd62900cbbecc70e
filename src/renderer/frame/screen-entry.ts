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
  /** Heading of its group. Those without one stand at the top, and those of the foot by the retry clock. */
  group: 'top' | 'Send' | 'Delivery' | 'Data' | 'foot';
  icon: LucideIcon;
  /** The letter after G that goes there. */
  key: string;
  count?: (records: Records) => number | null;
  /** Stands in the place of a count. `look`: something should be looked at; the rail shows a dot for it. */
  word?: (records: Records) => { text: string; look: boolean } | null;
  component: ComponentType;
}
