import '@fontsource-variable/geist/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/frame.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { measureScrollbar } from './lib/scrollbar.ts';
import { startConnection, watchVisibility } from './platform/connect.ts';
import { takeShellFacts } from './platform/desktop.ts';
import { openPort, openSocket } from './platform/openers.ts';
import { takeToken, watchToken } from './platform/token.ts';
import { watchRoute } from './stores/route.ts';
import { setTheme, watchTheme } from './stores/view.ts';

measureScrollbar();
watchTheme();
void takeShellFacts(setTheme);
watchVisibility();
const desktop = window.hookbench?.requestPort !== undefined;
const token = desktop ? null : takeToken();
if (!desktop) watchToken();
watchRoute();
if (desktop) startConnection(openPort);
else if (token !== null) startConnection(openSocket(token));

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App tokenMissing={!desktop && token === null} />);
