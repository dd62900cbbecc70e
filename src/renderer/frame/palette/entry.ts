import type { LucideIcon } from 'lucide-react';
import type { MessageRow } from '../../../contract/values.ts';

/** In the order in which they are shown. */
export const PALETTE_GROUPS = ['Actions', 'Messages', 'Go to'] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** One line of the palette. */
export interface PaletteEntry {
  /** Unique among all. */
  readonly id: string;
  readonly group: PaletteGroup;
  readonly title: string;
  /** What it concerns, after the title. */
  readonly detail?: string;
  /** Further words that find it. */
  readonly also?: string;
  /** `G W`, as the list of shortcuts writes it. */
  readonly keys?: string;
  /** A drawing, or the message whose state is drawn. */
  readonly icon: LucideIcon | MessageRow;
  readonly run: () => void;
}
