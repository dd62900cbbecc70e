import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { create } from 'zustand';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { call, stopConnection } from '../../platform/connect.ts';
import { leave } from '../../platform/leave.ts';
import { showFailure } from '../../stores/toasts.ts';
import css from '../start-pages.module.css';
import { useDemo } from './use-demo.ts';

/** True once the user has ended the demo in a window that has no page to go back to. */
export const useEnded = create<boolean>(() => false);

async function endDemo(): Promise<void> {
  try {
    const { url } = await call('demo.end');
    if (url !== null) return leave.to(url);
    useEnded.setState(true, true);
    stopConnection();
  } catch (error) {
    showFailure('end the demo', error);
  }
}

/** In the header of every page of a demo. */
export function EndDemo() {
  const demo = useDemo();
  const [asked, setAsked] = useState(false);
  if (demo === null) return null;
  return (
    <>
      <Button variant="ghost" icon={CircleStop} onClick={() => setAsked(true)}>
        End demo
      </Button>
      <ConfirmDialog
        open={asked}
        title="End the demo?"
        verb="End the demo"
        danger={false}
        onConfirm={() => void endDemo()}
        onClose={() => setAsked(false)}
      >
        Its workspace is kept until you remove it.
      </ConfirmDialog>
    </>
  );
}

/** In place of everything else, once the demo of this window has ended. */
export function EndedPage() {
  return (
    <main className={css.page}>
      <h1 className="visually-hidden">Hookbench</h1>
      <EmptyState icon={CircleStop} title="The demo has ended.">
        Its workspace is kept until you remove it. <code>hookbench demo</code> goes on with it.
      </EmptyState>
    </main>
  );
}
