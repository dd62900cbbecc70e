/** A part of the page whose code comes late, or not at all: it never takes the rest of the page with it. */
import { Unplug } from 'lucide-react';
import { Component, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { useLate } from '../lib/use-late.ts';
import { useRecords } from '../stores/records.ts';

/** "Loading" appears only after this time, in milliseconds. */
const PATIENCE_MS = 300;

interface PartProps {
  /** Stands around what is shown in place of the part. */
  readonly frame?: (content: ReactNode) => ReactNode;
  /** Shown while the code is loaded. */
  readonly waiting?: ReactNode;
  readonly children: ReactNode;
  /** Loads the page again. */
  readonly reload?: () => void;
}

const reloadPage = (): void => location.reload();

/** Shows a part as soon as its code is there. When that fails, or the part does, it says so in its place. */
export function PartBoundary({ frame = (content) => content, waiting, children, reload = reloadPage }: PartProps) {
  return (
    <Catch instead={frame(<Failed reload={reload} />)}>
      <Suspense fallback={waiting ?? frame(<Loading />)}>{children}</Suspense>
    </Catch>
  );
}

class Catch extends Component<{ readonly instead: ReactNode; readonly children: ReactNode }, { failed: boolean }> {
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override state = { failed: false };
  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

function Loading() {
  const late = useLate(true, PATIENCE_MS);
  return late ? <EmptyState title="Loading" /> : null;
}

/** A browser keeps a load that failed, so only a page that is loaded again gets the code. */
function Failed({ reload }: { reload: () => void }) {
  const connected = useRecords((state) => state.connection === 'open');
  const wasLost = useRef(false);
  useEffect(() => {
    if (!connected) wasLost.current = true;
    else if (wasLost.current) reload();
  }, [connected, reload]);
  if (!connected) {
    return (
      <EmptyState icon={Unplug} title="This cannot be shown without the engine.">
        It was not opened before, so its code has yet to come from the engine. It appears as soon as the engine answers.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Unplug} title="This could not be shown." actions={<Button onClick={reload}>Load again</Button>}>
      The rest of the page still works. What is stored is not touched.
    </EmptyState>
  );
}
