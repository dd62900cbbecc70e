import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import buttonCss from './button.module.css';
import { Button } from './button.tsx';
import css from './dialog.module.css';

/**
 * A modal window. `actions` is its foot, the main action last. The focus goes to a field with `autoFocus`, else to the
 * main action, or to the first one where the main one is dangerous. Closed, it gives the focus to `returnTo`, else to what
 * had it before.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  danger = false,
  width = 440,
  returnTo,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  danger?: boolean;
  width?: number;
  returnTo?: () => HTMLElement | null;
}) {
  const foot = useRef<HTMLElement>(null);
  const first = (): HTMLElement | boolean =>
    [...(foot.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])].at(danger ? 0 : -1) ?? true;
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css.scrim} />
        <Base.Popup className={css.dialog} style={{ width }} initialFocus={first} finalFocus={returnTo}>
          <header>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close
              className={cx(buttonCss.button, buttonCss.ghost, buttonCss.small, buttonCss.square)}
              aria-label="Close"
            >
              <X className="icon" aria-hidden="true" />
            </Base.Close>
          </header>
          <div className={css.body}>{children}</div>
          {actions !== undefined && <footer ref={foot}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Asks before an action that cannot be undone. The button repeats the verb. */
export function ConfirmDialog({
  open,
  title,
  children,
  verb,
  danger = true,
  onConfirm,
  onClose,
}: {
  open: boolean;
  title: string;
  children: ReactNode;
  verb: string;
  danger?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      danger={danger}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={danger ? 'destructive' : 'primary'}
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
