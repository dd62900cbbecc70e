/** The commands of the search index. */
import type { Handlers } from '../../contract/channel.ts';
import type { searchCommands } from '../../contract/search.ts';
import type { Search } from './search.ts';

export const createSearchHandlers = (search: Search): Pick<Handlers, keyof typeof searchCommands> => ({
  'search.get': () => search.view(),
  'search.rebuild': () => search.rebuild(),
  'search.setEnabled': ({ enabled }) => search.setEnabled(enabled),
});
