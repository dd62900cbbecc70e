/** The title of the window or tab says what is open: `Order Completed · Live · acme-shop`. */
import { useEffect } from 'react';
import { upperFirst } from '../lib/format.ts';
import { type Records, useRecords, useRow } from '../stores/records.ts';
import { type Route, useRoute } from '../stores/route.ts';
import { useDemo } from './demo/use-demo.ts';
import type { ScreenEntry } from './screen-entry.ts';
import { titleOf } from './title.ts';

export function useTitle(screens: readonly ScreenEntry[]): void {
  const route = useRoute();
  const row = useRow('messageId' in route ? route.messageId : null);
  const named = useRecords((records) => nameOf(route, records));
  const workspace = useRecords((records) => records.workspace?.name);
  const inDemo = useDemo() !== null;
  const screen = screens.find(({ id }) => id === route.screen);
  const name = row === undefined ? named : row.name || row.type;
  const title = titleOf([name, screen?.title ?? screen?.label, inDemo ? 'Demo shop' : workspace]);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** The name of the thing that the screen shows, unless it is a message. */
function nameOf(route: Route, records: Records): string | undefined {
  switch (route.screen) {
    case 'unknown':
      return 'No such page';
    case 'people':
      return route.personId ?? undefined;
    case 'webhooks':
      return route.rules ? 'Delivery rules' : records.webhooks.find(({ slot }) => slot === route.slot)?.name;
    case 'receivers':
      return records.receivers?.entries.find(({ id }) => id === route.receiverId)?.name;
    case 'audiences':
      return route.traits ? undefined : records.audiences?.audiences.find(({ id }) => id === route.audienceId)?.name;
    case 'deletions':
      return route.requestId === null ? undefined : `Request ${route.requestId}`;
    case 'settings':
      return upperFirst(route.section);
    default:
      return undefined;
  }
}
