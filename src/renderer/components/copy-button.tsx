import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../lib/copy.ts';
import { showCopyRefused } from '../stores/copied.ts';
import { Button, IconButton } from './button.tsx';

/** How long the tick shows, in milliseconds. */
const TICK_MS = 1500;

/** Copies `text`, and shows a tick for a moment. With `children` a text button, otherwise a square icon button. */
export function CopyButton({
  text,
  label,
  children,
  size = 'sm',
  onCopied,
}: {
  /**
   * A function is called on click, for texts that take work. It returns null when it failed and has already said why.
   */
  text: string | (() => string | null | Promise<string | null>);
  /** Its name: `Copy message id`. */
  label: string;
  children?: string;
  size?: 'sm' | 'md';
  onCopied?: () => void;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), TICK_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    const wanted = typeof text === 'string' ? text : await text();
    if (wanted === null) return;
    const done = await copyText(wanted);
    if (!done) return showCopyRefused();
    setCopied(true);
    onCopied?.();
  };
  const icon = copied ? Check : Copy;
  const said = (
    <span className="visually-hidden" role="status">
      {copied ? 'Copied' : ''}
    </span>
  );
  if (children === undefined) {
    return (
      <>
        <IconButton
          label={label}
          hint={copied ? 'Copied' : label}
          icon={icon}
          size={size}
          onClick={() => void copy()}
        />
        {said}
      </>
    );
  }
  return (
    <>
      <Button aria-label={label} size={size} icon={icon} onClick={() => void copy()}>
        {children}
      </Button>
      {said}
    </>
  );
}
