/**
 * Short notices at the lower right. They stay for 6 s, longer while the pointer is on them. Errors stay until closed.
 */
import { Toast } from '@base-ui/react/toast';
import { ContractError } from '../../contract/errors.ts';

export interface ToastOptions {
  title: string;
  body?: string;
  /** A button such as Undo; it closes the toast. */
  action?: { label: string; run: () => void };
  /** Default 6,000; 0 stays until closed. */
  durationMs?: number;
}

export const toastManager = Toast.createToastManager();
const DURATION_MS = 6_000;

export function showToast(options: ToastOptions): void {
  add(options, 'info', options.durationMs ?? DURATION_MS);
}

/** Stays until closed and is read out at once. */
export function showError(options: ToastOptions): void {
  add(options, 'error', options.durationMs ?? 0);
}

/** Shows what went wrong with a command; `doing` completes "Could not …". */
export function showFailure(doing: string, error: unknown): void {
  const body = error instanceof ContractError ? error.message : 'Something failed in this window.';
  showError({ title: `Could not ${doing}`, body });
}

function add({ title, body, action }: ToastOptions, type: 'info' | 'error', timeout: number): void {
  const id = toastManager.add({
    title,
    description: body,
    type,
    timeout,
    actionProps: action && {
      children: action.label,
      onClick: () => {
        toastManager.close(id);
        action.run();
      },
    },
  });
}
