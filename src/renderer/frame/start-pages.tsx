/** Pages without content: before the first greeting, and at an address without a page. */

import { KeyRound, MapPinOff, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { retryNow } from '../platform/connect.ts';
import { useRecords } from '../stores/records.ts';
import { formatRoute, HOME, navigate, useRoute } from '../stores/route.ts';
import { REOPEN } from './reopen.ts';
import { Screen } from './screen.tsx';
import css from './start-pages.module.css';

/** A spinner appears only after this time, in milliseconds. */
const PATIENCE_MS = 300;

export function ConnectingPage() {
  const connection = useRecords((state) => state.connection);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (connection === 'refused') return <RestartedPage />;
  return (
    <main className={css.page}>
      <h1 className="visually-hidden">Hookbench</h1>
      {connection === 'lost' ? (
        <EmptyState
          icon={Unplug}
          title="The engine does not answer."
          actions={<Button onClick={retryNow}>Try now</Button>}
        >
          It may have been stopped. This page tries again by itself. Start Hookbench with <code>hookbench serve</code>{' '}
          or <code>npm start</code>.
        </EmptyState>
      ) : (
        late && <p className="muted">Connecting to the engine</p>
      )}
    </main>
  );
}

/** The token of this tab belongs to an earlier start. */
function RestartedPage() {
  return (
    <main className={css.page}>
      <h1 className="visually-hidden">Hookbench</h1>
      <EmptyState
        icon={KeyRound}
        title="Hookbench was started again."
        actions={<Button onClick={retryNow}>Try again</Button>}
      >
        This tab has the token of an earlier start. {REOPEN}
      </EmptyState>
    </main>
  );
}

/** The browser was opened without the token of the link. */
export function NoTokenPage() {
  return (
    <main className={css.page}>
      <h1 className="visually-hidden">Hookbench</h1>
      <EmptyState icon={KeyRound} title="This page needs the link from the terminal.">
        Hookbench prints an address with a token when it starts. Open that address. The token is kept for this tab only.
      </EmptyState>
    </main>
  );
}

/** The address names no page. */
export function UnknownPage() {
  const route = useRoute();
  return (
    <Screen title="No such page">
      <EmptyState
        icon={MapPinOff}
        title={`There is no page at ${formatRoute(route).slice(0, 80)}`}
        actions={<Button onClick={() => navigate(HOME)}>Open the live stream</Button>}
      >
        The link may be of another version of Hookbench.
      </EmptyState>
    </Screen>
  );
}
