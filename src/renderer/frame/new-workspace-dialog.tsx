import { Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, Input } from '../components/input.tsx';
import { canSwitch, commandFor, copyCommand } from './use-workspaces.ts';
import css from './workspace-dialogs.module.css';

/** In the desktop window the shell makes the folder; a page gives the command that does. */
export function NewWorkspaceDialog({ onChosen, onClose }: { onChosen: (folder: string) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const isDesktop = canSwitch();
  const folder = `${isDesktop ? '' : './'}${name.trim()}`;
  const choose = async () => {
    const chosen = await window.hookbench?.chooseWorkspace?.(name);
    if (chosen?.end === 'chosen') onChosen(chosen.folder);
    if (chosen?.end === 'refused') setProblem(chosen.problem);
  };
  const go = () => {
    if (name.trim() === '') return;
    if (isDesktop) return void choose();
    copyCommand(folder);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="New workspace"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" icon={isDesktop ? undefined : Copy} disabled={name.trim() === ''} onClick={go}>
            {isDesktop ? 'Create' : 'Copy the command'}
          </Button>
        </>
      }
    >
      <div className={css.lines}>
        <Field
          label="Name"
          error={problem}
          hint={isDesktop ? 'Its folder lies beside the default workspace.' : 'A folder where you run the command.'}
        >
          {({ invalid, ...control }) => (
            <Input
              {...control}
              invalid={invalid}
              autoFocus
              maxLength={60}
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(null);
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.nativeEvent.isComposing) go();
              }}
            />
          )}
        </Field>
        {!isDesktop && (
          <p className="secondary">
            This page belongs to the Hookbench that serves it. Stop that one first, so that its ports are free, then run{' '}
            <span className="mono">{commandFor(name.trim() === '' ? './NAME' : folder)}</span>
          </p>
        )}
      </div>
    </Dialog>
  );
}
