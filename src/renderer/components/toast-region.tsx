import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { toastManager } from '../stores/toasts.ts';
import buttonCss from './button.module.css';
import { Text } from './text.tsx';
import css from './toast-region.module.css';

/** Where toasts appear; once in the page. */
export function ToastRegion() {
  return (
    <Toast.Provider toastManager={toastManager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className={css.region}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** Base UI sets `aria-modal="false"`, which is only valid on dialogs. */
const NOT_MODAL = { 'aria-modal': undefined };

/**
 * The viewport reads toasts out, and errors at once as alerts. Without one of these roles they would count as open
 * dialogs. Base UI's own handling of urgent toasts hides the visible toast, with its focused button, from screen
 * readers.
 */
function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={cx(css.toast, toast.type === 'error' && css.error)}
      data-region="notice"
      swipeDirection="right"
      {...NOT_MODAL}
      role={toast.type === 'error' ? 'alert' : 'group'}
    >
      <Toast.Content className={css.content}>
        <div className={css.text}>
          <Toast.Title className="medium" render={<p />}>
            {typeof toast.title === 'string' ? <Text>{toast.title}</Text> : toast.title}
          </Toast.Title>
          <Toast.Description className="secondary">
            {typeof toast.description === 'string' ? <Text>{toast.description}</Text> : toast.description}
          </Toast.Description>
        </div>
        {toast.actionProps && <Toast.Action className={cx(buttonCss.button, buttonCss.small)} />}
        {/* Not hidden while the stack is at rest, because Tab reaches it and these toasts never overlap. */}
        <Toast.Close
          className={cx(buttonCss.button, buttonCss.ghost, buttonCss.small, buttonCss.square)}
          aria-label="Close notice"
          aria-hidden={undefined}
        >
          <X className="icon" aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
