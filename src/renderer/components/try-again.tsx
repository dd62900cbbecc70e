import { useEffect, useRef } from 'react';
import { useRecords } from '../stores/records.ts';
import { Button, type ButtonProps } from './button.tsx';

/** Reads again what could not be read: on a click, and by itself when the engine, which was away, is back. */
export function TryAgain({ onAgain, ...look }: { onAgain: () => void } & Pick<ButtonProps, 'variant' | 'size'>) {
  useWhenBack(onAgain);
  return (
    <Button {...look} onClick={onAgain}>
      Try again
    </Button>
  );
}

/** Runs once for each time that the connection comes back. */
function useWhenBack(run: () => void): void {
  const connected = useRecords((state) => state.connection === 'open');
  const current = useRef(run);
  current.current = run;
  const wasAway = useRef(false);
  useEffect(() => {
    if (connected && wasAway.current) current.current();
    wasAway.current = !connected;
  }, [connected]);
}
