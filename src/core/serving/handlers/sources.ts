/** Sources and their track events. */
import type { Handlers } from '../../../contract/channel.ts';
import type { Timers } from '../../ports.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { SourceEventStore } from '../../store/ports/source-events.ts';
import { sourceEvents } from '../../workspace/source-events.ts';
import type { Sources } from '../../workspace/sources.ts';
import { sourceView } from '../views.ts';

export interface SourceDeps {
  readonly sources: Sources;
  readonly lists: Pick<ListStore, 'idRange'>;
  readonly events: SourceEventStore;
  readonly timers: Timers;
}

type SourceCommand = 'sources.save' | 'sources.events' | 'sources.switchEvent' | 'sources.remove';

export const sourceHandlers = ({ sources, ...counting }: SourceDeps): Pick<Handlers, SourceCommand> => ({
  'sources.save': async (edit) => sourceView(await sources.save(edit)),
  'sources.events': ({ id }) => sourceEvents(sources.get(id), counting),
  'sources.switchEvent': async (choice) => sourceView(await sources.switchEvent(choice)),
  'sources.remove': async ({ id }) => {
    await sources.remove(id);
    return null;
  },
});
