import type { ReactNode } from 'react';
import { afterEach, describe, it } from 'vitest';
import { ConfirmDialog, Dialog } from '../../../src/renderer/components/dialog.tsx';
import { Input } from '../../../src/renderer/components/input.tsx';
import { type Rendered, render, until } from '../base/harness.tsx';

let shown: Rendered | undefined;
afterEach(() => shown?.unmount());

const focused = () => document.activeElement?.textContent || document.activeElement?.getAttribute('aria-label');
const close = () => {};
const dialog = (children: ReactNode, actions?: ReactNode) => (
  <Dialog open onClose={close} title="Export" actions={actions}>
    {children}
  </Dialog>
);
const buttons = (isDisabled = false) => (
  <>
    <button type="button">Cancel</button>
    <button type="button" disabled={isDisabled}>
      Begin
    </button>
  </>
);
const confirm = (danger: boolean) => (
  <ConfirmDialog open title="Remove it?" verb="Remove" danger={danger} onConfirm={close} onClose={close}>
    It is gone then.
  </ConfirmDialog>
);

describe('the focus of a dialog', () => {
  it.each([
    ['on its main action', dialog('All of them.', buttons()), 'Begin'],
    ['on another one while the main action cannot be taken', dialog('None.', buttons(true)), 'Cancel'],
    ['on the field that asks for it', dialog(<Input aria-label="Name" autoFocus />, buttons()), 'Name'],
    ['on Close, when there is nothing else', dialog('Done.'), 'Close'],
    ['on the verb of a question', confirm(false), 'Remove'],
    ['away from what cannot be undone', confirm(true), 'Cancel'],
  ])('is %s', async (_where, element, expected) => {
    shown = await render(element);
    await until(() => focused() === expected);
  });
});
