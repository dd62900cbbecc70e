/** The current route, from the hash of the address: `#/live/12/payload`. Only working screens have a route. */
import { create } from 'zustand';

export const DETAIL_TABS = ['attempts', 'payload', 'compare', 'signature', 'raw'] as const;
export type DetailTab = (typeof DETAIL_TABS)[number];

export const SETTINGS_SECTIONS = [
  'ingest',
  'storage',
  'delivery',
  'privacy',
  'appearance',
  'shortcuts',
  'about',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

export const AUDIENCE_TABS = ['pending', 'members', 'syncs'] as const;
export type AudienceTab = (typeof AUDIENCE_TABS)[number];
const AUDIENCE_PAGES = ['edit', 'import'] as const;
export type AudiencePage = (typeof AUDIENCE_PAGES)[number];

/** Pages of the deletions screen that are not a request. */
export const DELETION_VIEWS = ['new', 'suppressed'] as const;
export type DeletionView = (typeof DELETION_VIEWS)[number];

/** Screens of which nothing can be selected. A further one is a word here. */
const PLAIN_SCREENS = ['overview', 'sources', 'faults'] as const;

export type Route =
  /** `attempt`: the id of an attempt that is unfolded, in view and has the focus. */
  | { screen: 'live'; messageId: number | null; tab: DetailTab; full: boolean; attempt?: number }
  /** `personId`: any id of a person. */
  | { screen: 'people'; personId: string | null }
  | { screen: 'replay'; messageId: number | null }
  /** `rules` shows the delivery rules in place of the list. */
  | { screen: 'webhooks'; slot: number | null; rules?: boolean }
  /** `hit`: the id of a request that is open, also when it is none of the receiver's any more. */
  | { screen: 'receivers'; receiverId: string | null; hit?: number }
  | { screen: 'signature'; attemptId: number | null }
  /**
   * `traits`: `audienceId` is a computed trait. `sync` is the number of the sync that is shown. `edit` is the editor of a
   * rule or a trait, without an id that of a new one; `import` reads members from a file.
   */
  | {
      screen: 'audiences';
      audienceId: number | null;
      tab: AudienceTab;
      traits?: boolean;
      page?: AudiencePage;
      sync?: number;
    }
  /** `view` shows a form or a list in place of a request. */
  | { screen: 'deletions'; requestId: number | null; view?: DeletionView }
  | { screen: 'settings'; section: SettingsSection }
  | { screen: (typeof PLAIN_SCREENS)[number] }
  /** An address that leads nowhere: the text after `#/`. */
  | { screen: 'unknown'; address: string };
export type ScreenId = Route['screen'];

/** The live stream with nothing selected. */
export const HOME: Route = { screen: 'live', messageId: null, tab: 'attempts', full: false };

const positive = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

/** An empty address is the live stream. An address that leads nowhere says so. */
export function parseRoute(hash: string): Route {
  if (!hash.startsWith('#/') || hash === '#/') return HOME;
  const [screen, ...rest] = hash.replace(/^#?\/?/, '').split('/');
  const [first, second] = rest;
  switch (screen) {
    case 'people':
      return { screen, personId: textOf(rest.join('/')) };
    case 'replay':
      return { screen, messageId: positive(first) };
    case 'webhooks':
      return first === 'rules' ? { screen, slot: null, rules: true } : { screen, slot: positive(first) };
    case 'receivers':
      return parseReceivers(first, second);
    case 'signature':
      return { screen, attemptId: positive(first) };
    case 'audiences':
      return parseAudiences(rest) ?? { screen: 'unknown', address: hash.slice(2) };
    case 'deletions':
      return parseDeletions(first, second) ?? { screen: 'unknown', address: hash.slice(2) };
    case 'settings':
      return { screen, section: SETTINGS_SECTIONS.find((name) => name === first) ?? 'ingest' };
    case 'live':
      return parseLive(rest);
    default: {
      const plain = PLAIN_SCREENS.find((name) => name === screen);
      return plain === undefined ? { screen: 'unknown', address: hash.slice(2) } : { screen: plain };
    }
  }
}

/** Null for no text, and for one that is not written as {@link formatRoute} writes it. */
function textOf(part: string): string | null {
  try {
    return decodeURIComponent(part) || null;
  } catch {
    return null;
  }
}

/** `12/payload/34/full`: the message, its tab, an attempt of it, and whether it fills the screen. */
function parseLive([first, second, ...more]: readonly string[]): Route {
  const messageId = positive(first);
  const tab = DETAIL_TABS.find((name) => name === second) ?? 'attempts';
  const list = { screen: 'live', messageId, tab, full: false } as const;
  if (messageId === null) return list;
  const attempt = positive(more[0]);
  return attempt === null ? { ...list, full: more[0] === 'full' } : { ...list, full: more[1] === 'full', attempt };
}

function parseReceivers(first?: string, second?: string): Route {
  const receiverId = first !== undefined && /^[a-z0-9-]{1,64}$/.test(first) ? first : null;
  const hit = receiverId === null ? null : positive(second);
  return { screen: 'receivers', receiverId, ...(hit !== null && { hit }) };
}

/** Null for an address that names nothing. */
function parseAudiences(parts: readonly string[]): Route | null {
  const list = { screen: 'audiences', audienceId: null, tab: 'pending' } as const;
  if (parts[0] === undefined || parts[0] === '') return list;
  const isTrait = parts[0] === 'traits';
  const [first, second, third, ...more] = isTrait ? parts.slice(1) : parts;
  const traits = isTrait ? { traits: true } : {};
  if (first === undefined) return { ...list, ...traits };
  if (first === 'new') return second === undefined ? { ...list, ...traits, page: 'edit' } : null;
  const audienceId = positive(first);
  if (audienceId === null || more.length > 0) return null;
  const one = { ...list, ...traits, audienceId };
  if (second === 'syncs' && third !== undefined) {
    const sync = positive(third);
    return sync === null ? null : { ...one, sync };
  }
  if (third !== undefined || (isTrait && second !== undefined)) return null;
  const page = AUDIENCE_PAGES.find((name) => name === second);
  if (page !== undefined) return { ...one, page };
  const tab = AUDIENCE_TABS.find((name) => name === (second ?? 'pending'));
  return tab === undefined ? null : { ...one, tab };
}

/** Null for an address that names nothing. */
function parseDeletions(first?: string, second?: string): Route | null {
  const list = { screen: 'deletions', requestId: null } as const;
  if (first === undefined || first === '') return list;
  if (second !== undefined) return null;
  const view = DELETION_VIEWS.find((name) => name === first);
  if (view !== undefined) return { ...list, view };
  const requestId = positive(first);
  return requestId === null ? null : { ...list, requestId };
}

/** The address of a route, for links: `#/live/12/payload`. */
export function formatRoute(route: Route): string {
  switch (route.screen) {
    case 'unknown':
      return `#/${route.address}`;
    case 'settings':
      return `#/settings/${route.section}`;
    case 'webhooks':
      if (route.rules) return '#/webhooks/rules';
      return route.slot === null ? '#/webhooks' : `#/webhooks/${route.slot}`;
    case 'receivers':
      if (route.receiverId === null) return '#/receivers';
      return `#/receivers/${route.receiverId}${route.hit === undefined ? '' : `/${route.hit}`}`;
    case 'signature':
      return route.attemptId === null ? '#/signature' : `#/signature/${route.attemptId}`;
    case 'audiences': {
      const list = route.traits ? '#/audiences/traits' : '#/audiences';
      if (route.audienceId === null) return route.page === 'edit' ? `${list}/new` : list;
      const one = `${list}/${route.audienceId}`;
      if (route.page !== undefined) return `${one}/${route.page}`;
      if (route.sync !== undefined) return `${one}/syncs/${route.sync}`;
      return route.tab === 'pending' ? one : `${one}/${route.tab}`;
    }
    case 'deletions': {
      const part = route.view ?? route.requestId;
      return part === null ? '#/deletions' : `#/deletions/${part}`;
    }
    case 'people':
      return route.personId === null ? '#/people' : `#/people/${encodeURIComponent(route.personId)}`;
    case 'replay':
      return route.messageId === null ? '#/replay' : `#/replay/${route.messageId}`;
    case 'live': {
      if (route.messageId === null) return '#/live';
      const attempt = route.attempt === undefined ? '' : `/${route.attempt}`;
      const tab = route.tab === 'attempts' && !route.full && attempt === '' ? '' : `/${route.tab}`;
      return `#/live/${route.messageId}${tab}${attempt}${route.full ? '/full' : ''}`;
    }
    default:
      return `#/${route.screen}`;
  }
}

export const useRouteStore = create<{ route: Route }>()(() => ({ route: parseRoute(location.hash) }));
export const useRoute = (): Route => useRouteStore((state) => state.route);

/** Goes to a route. `replace` adds no history entry, for example when moving the selection. */
export function navigate(route: Route, { replace = false } = {}): void {
  const address = formatRoute(route);
  if (replace) history.replaceState(null, '', address);
  else if (location.hash !== address) history.pushState(null, '', address);
  useRouteStore.setState({ route });
}

/** The last route of each screen, so that the sidebar restores its selection. */
const lastRoutes = new Map<ScreenId, Route>();
useRouteStore.subscribe(({ route }) => lastRoutes.set(route.screen, selectionOf(route)));
/** Without what a link has opened there: a dialog, or an attempt that takes the focus. */
function selectionOf(route: Route): Route {
  if (route.screen === 'receivers') return { screen: 'receivers', receiverId: route.receiverId };
  if (route.screen !== 'live') return route;
  const { attempt: _opened, ...rest } = route;
  return rest;
}
export const lastRoute = (screen: ScreenId): Route => lastRoutes.get(screen) ?? parseRoute(`#/${screen}`);

/** Follows the back button and edited addresses. Returns a function that stops. */
export function watchRoute(): () => void {
  const read = () => useRouteStore.setState({ route: parseRoute(location.hash) });
  read();
  window.addEventListener('popstate', read);
  window.addEventListener('hashchange', read);
  return () => {
    window.removeEventListener('popstate', read);
    window.removeEventListener('hashchange', read);
  };
}
