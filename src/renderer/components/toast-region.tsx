import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { toastManager } from '../stores/toasts.ts';
import { Text } from './text.tsx';

/** Where toasts appear; once in the page. */
export function ToastRegion() {
  return (
    <Toast.Provider toastManager={toastManager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** Base UI says `aria-modal="false"`, which only dialogs may. */
const NOT_MODAL = { 'aria-modal': undefined };

/**
 * Toasts are read out by the viewport, errors at once as alerts; as neither they pass for open dialogs. Base UI's
 * own way for urgent toasts hides the visible one, with the button that has the focus, from screen readers.
 */
function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`toast ${toast.type ?? ''}`}
      data-region="notice"
      swipeDirection="right"
      {...NOT_MODAL}
      role={toast.type === 'error' ? 'alert' : 'group'}
    >
      <Toast.Content className="toast-content">
        <div className="toast-text">
          <Toast.Title className="b5" render={<p />}>
            {typeof toast.title === 'string' ? <Text>{toast.title}</Text> : toast.title}
          </Toast.Title>
          <Toast.Description className="t2">
            {typeof toast.description === 'string' ? <Text>{toast.description}</Text> : toast.description}
          </Toast.Description>
        </div>
        {toast.actionProps && <Toast.Action className="btn sm" />}
        {/* Not hidden while the stack is at rest: it is reached with Tab, and these toasts never overlap. */}
        <Toast.Close className="btn ghost sm ico" aria-label="Close notice" aria-hidden={undefined}>
          <X className="ic s14" aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
