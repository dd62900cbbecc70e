import { useEffect } from 'react';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { liveStream } from '../../stores/live/store.ts';

/** New rows are held while a menu is open. */
export function MenuButton(props: ButtonProps) {
  const open = props['aria-expanded'] === true || props['aria-expanded'] === 'true';
  useEffect(() => {
    if (!open) return;
    liveStream.reading({ menuOpen: true });
    return () => liveStream.reading({ menuOpen: false });
  }, [open]);
  return <Button {...props} />;
}
