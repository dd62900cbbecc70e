/** Filters that were saved under a name. */
import { z } from 'zod';
import { command, gives } from './command.ts';
import { messageFilter } from './filter.ts';

z.config({ jitless: true });

export const SAVED_FILTER_LIMITS = { filters: 50, name: 60 } as const;

/** Filters that every workspace has. They can be hidden. */
export const BUILT_IN_FILTERS = ['replays', 'deletions'] as const;
export type BuiltInFilter = (typeof BUILT_IN_FILTERS)[number];

/** All saved filters in the user's order. */
export const savedFilters = z.strictObject({
  filters: z
    .array(
      z
        .strictObject({ name: z.string().trim().min(1).max(SAVED_FILTER_LIMITS.name), filter: messageFilter })
        .readonly(),
    )
    .max(SAVED_FILTER_LIMITS.filters)
    .readonly(),
  hidden: z.array(z.enum(BUILT_IN_FILTERS)).max(BUILT_IN_FILTERS.length).readonly(),
});
export type SavedFilters = z.infer<typeof savedFilters>;
export type SavedFilter = SavedFilters['filters'][number];

export const savedFilterCommands = {
  /** Replaces the whole list. */
  'filters.save': command(savedFilters, gives<SavedFilters>()),
};
