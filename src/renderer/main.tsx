import './start.ts';
import '@fontsource-variable/geist/wght.css';
import '@fontsource-variable/geist-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/helpers.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { onFirstNews } from './first-news.ts';
import { measureScrollbar } from './lib/scrollbar.ts';
import { tokenMissing } from './start.ts';

measureScrollbar();
const root = document.getElementById('root');
const draw = (): void => {
  if (root !== null) createRoot(root).render(<App tokenMissing={tokenMissing} />);
};
// Without a token there is no connection, and so no news.
if (tokenMissing) draw();
else onFirstNews(draw);
