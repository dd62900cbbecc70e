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

/** Toasts are read out by the viewport; as groups they do not pass for open dialogs. */
function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`toast ${toast.type ?? ''}`}
      swipeDirection="right"
      role="group"
    >
      <Toast.Content className="toast-content">
        <div className="toast-text">
          <Toast.Title className="b5" render={<p />} />
          <Toast.Description className="t2">
            {typeof toast.description === 'string' ? <Text>{toast.description}</Text> : toast.description}
          </Toast.Description>
        </div>
        {toast.actionProps && <Toast.Action className="btn sm" />}
        <Toast.Close className="btn ghost sm ico" aria-label="Close notice">
          <X className="ic s14" aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
