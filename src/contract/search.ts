/** The search index: how far it is, and its commands. */
import { z } from 'zod';
import { command, gives } from './command.ts';

export interface SearchView {
  /**
   * `small`: the store has so few messages that all of them are read. `building`: what is not in the index yet is read.
   * `failed`: every message is read, as with `off`.
   */
  state: 'off' | 'small' | 'building' | 'ready' | 'failed';
  /** Messages that are in the index, and all of them. A list takes the newest ones in together, so `ready` may be a few behind. */
  indexed: number;
  total: number;
  /** Of the file. */
  bytes: number;
  /** Why it failed. */
  message: string | null;
}

/** Commands of the search index; part of `commands`. */
export const searchCommands = {
  'search.get': command(z.null().optional(), gives<SearchView>()),
  /** Deletes the index and makes it again, in the background. Nothing to do while it is off or the store is small. */
  'search.rebuild': command(z.null().optional(), gives<SearchView>()),
  /** Off deletes the index. Searches then read every message. */
  'search.setEnabled': command(z.strictObject({ enabled: z.boolean() }), gives<SearchView>()),
} as const;
