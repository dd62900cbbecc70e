/** Everything that the palette can find besides messages. */
import {
  CalendarClock,
  Eraser,
  ListFilter,
  Moon,
  Palette,
  Pause,
  Plug,
  Send,
  Sun,
  Timer,
  Users,
  Webhook,
} from 'lucide-react';
import { upperFirst } from '../../lib/format.ts';
import { STATE_ORDER, STATE_WORDS } from '../../lib/words/states.ts';
import { call } from '../../platform/connect.ts';
import { emptyQuery, queryOf } from '../../stores/live/filter.ts';
import { useJumpDialog } from '../../stores/live/jump-dialog.ts';
import { liveStream } from '../../stores/live/store.ts';
import type { Records } from '../../stores/records.ts';
import { HOME, lastRoute, navigate, type Route, SETTINGS_SECTIONS } from '../../stores/route.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import { setTheme } from '../../stores/view.ts';
import { SPEEDS, setSpeed, speedLabel } from '../clock-actions.ts';
import type { ScreenEntry } from '../screen-entry.ts';
import { type FrameDoors, WINDOW_ACTIONS } from '../window-actions.ts';
import type { PaletteEntry } from './entry.ts';
import { retryAllEntries } from './retry-all.ts';

/** The actions of the window, of the clock and of the live stream. */
export function actionEntries(records: Records, doors: FrameDoors): PaletteEntry[] {
  const window = WINDOW_ACTIONS.filter(({ offered }) => offered).map(
    ({ title, keys, icon, run }): PaletteEntry => ({
      id: `window ${keys}`,
      group: 'Actions',
      title,
      keys,
      icon,
      run: () => run(doors),
    }),
  );
  return [...liveActions(records), ...retryAllEntries(records), ...window, ...clockActions(records), ...themeActions()];
}

const action = (title: string, icon: PaletteEntry['icon'], run: () => void, also?: string): PaletteEntry => ({
  id: `action ${title}`,
  group: 'Actions',
  title,
  icon,
  also,
  run,
});

function liveActions({ status, sources }: Records): PaletteEntry[] {
  const paused = liveStream.snapshot().mode === 'paused';
  const states = STATE_ORDER.filter((state) => (status?.counts[state] ?? 0) > 0);
  return [
    action(paused ? 'Resume the view' : 'Pause the view', Pause, () =>
      paused ? liveStream.resume() : liveStream.pause(),
    ),
    action('Select all messages of the list', ListFilter, () => showList(() => liveStream.selection.selectAll())),
    {
      ...action('Jump to time', CalendarClock, () => showList(() => useJumpDialog.setState({ open: true })), 'go date'),
      keys: '⇧ T',
    },
    ...(sources.some(({ enabled }) => enabled) ? [action('Send a sample event', Send, () => void sendSample())] : []),
    ...states.map((state) =>
      action(`Show only ${STATE_WORDS[state].word.toLowerCase()}`, ListFilter, () =>
        showList(() => liveStream.setQuery(queryOf({ key: 'status', values: [state] }))),
      ),
    ),
    action('Show all messages', Eraser, () => showList(() => liveStream.setQuery(emptyQuery)), 'clear filter'),
  ];
}

function showList(work: () => void): void {
  const route = lastRoute('live');
  navigate(route.screen === 'live' ? { ...route, full: false } : HOME);
  work();
}

async function sendSample(): Promise<void> {
  try {
    await call('messages.sendSample');
    showToast({ title: 'Sample event sent' });
  } catch (error) {
    showFailure('send a sample event', error);
  }
}

const clockActions = ({ clock }: Records): PaletteEntry[] =>
  SPEEDS.filter((speed) => speed !== clock.speed).map((speed) =>
    action(`Set the retry clock to ${speedLabel(speed)}`, Timer, () => void setSpeed(speed), `${speed}x speed`),
  );

const themeActions = (): PaletteEntry[] => [
  action('Dark theme', Moon, () => setTheme('dark'), 'appearance colours'),
  action('Light theme', Sun, () => setTheme('light'), 'appearance colours'),
  action('Theme of the system', Palette, () => setTheme('system'), 'appearance colours'),
];

/** Screens, and what can be opened on them by name. */
export function placeEntries(screens: readonly ScreenEntry[], records: Records): PaletteEntry[] {
  const place = (
    title: string,
    detail: string | undefined,
    icon: PaletteEntry['icon'],
    route: Route,
  ): PaletteEntry => ({
    id: `place ${JSON.stringify(route)}`,
    group: 'Go to',
    title,
    detail,
    icon,
    run: () => navigate(route),
  });
  const settings = screens.find(({ id }) => id === 'settings');
  return [
    ...screens.map(
      ({ id, label, icon, key }): PaletteEntry => ({
        ...place(label, undefined, icon, lastRoute(id)),
        id: `screen ${id}`,
        keys: `G ${key.toUpperCase()}`,
      }),
    ),
    {
      ...place('Delivery rules', 'Webhooks', Webhook, { screen: 'webhooks', slot: null, rules: true }),
      also: 'retry schedule waits',
    },
    ...(settings === undefined ? [] : SETTINGS_SECTIONS).map((section) =>
      place(upperFirst(section), 'Settings', settings!.icon, { screen: 'settings', section }),
    ),
    ...records.webhooks.map(({ name, slot }) => place(name, `Webhook ${slot}`, Webhook, { screen: 'webhooks', slot })),
    ...(records.receivers?.entries ?? []).map(({ id, name }) =>
      place(name, 'Receiver', Plug, { screen: 'receivers', receiverId: id }),
    ),
    ...(records.audiences?.audiences ?? []).map(({ id, name }) =>
      place(name, 'Audience', Users, { screen: 'audiences', audienceId: id, tab: 'pending' }),
    ),
  ];
}
