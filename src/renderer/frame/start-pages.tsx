/** What is shown before there is anything to show. */
import { KeyRound, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { retryNow } from '../platform/connect.ts';
import { useRecords } from '../stores/records.ts';

/** No spinner before this time, in milliseconds. */
const PATIENCE_MS = 300;

export function ConnectingPage() {
  const lost = useRecords((state) => state.connection === 'lost');
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="start-page">
      <h1 className="vh">Hookbench</h1>
      {lost ? (
        <EmptyState
          icon={Unplug}
          title="The engine does not answer."
          actions={<Button onClick={retryNow}>Try now</Button>}
        >
          It may have been stopped, or this link belongs to an earlier start. Hookbench tries again by itself. If that
          does not help, open the address that the start command prints.
        </EmptyState>
      ) : (
        late && <p className="t3">Connecting to the engine</p>
      )}
    </main>
  );
}

/** The browser was opened without the token of the link. */
export function NoTokenPage() {
  return (
    <main className="start-page">
      <h1 className="vh">Hookbench</h1>
      <EmptyState icon={KeyRound} title="This page needs the link from the terminal.">
        Hookbench prints an address with a token when it starts. Open that address. The token is kept for this tab only.
      </EmptyState>
    </main>
  );
}
