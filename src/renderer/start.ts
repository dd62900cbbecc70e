/**
 * What begins before anything is drawn. `main.tsx` imports this first, so that the connection opens while the code of
 * the screens still runs.
 */
import { startConnection, watchVisibility } from './platform/connect.ts';
import { takeShellFacts } from './platform/desktop.ts';
import { openPort, openSocket } from './platform/openers.ts';
import { takeToken, watchToken } from './platform/token.ts';
import { feed, watchTimeZone } from './stores/feed.ts';
import { watchRoute } from './stores/route.ts';
import { setTheme, watchTheme } from './stores/view.ts';

const isDesktop = window.hookbench?.requestPort !== undefined;
const token = isDesktop ? null : takeToken();
if (isDesktop) startConnection(openPort, feed);
else if (token !== null) startConnection(openSocket(token), feed);

/** True in a browser that was opened without the token of the link. */
export const tokenMissing = !isDesktop && token === null;

watchTheme();
watchTimeZone();
void takeShellFacts(setTheme);
watchVisibility();
if (!isDesktop) watchToken();
watchRoute();
