/** Filters that were saved under a name. */
import { z } from 'zod';
import { command, gives } from './command.ts';
import { messageFilter } from './filter-schema.ts';
import { BUILT_IN_FILTERS, SAVED_FILTER_LIMITS } from './saved-filter-limits.ts';

z.config({ jitless: true });

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
