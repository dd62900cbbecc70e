import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { CallImportView } from '../../../contract/exchange.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/controls.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { Setting } from '../../components/setting.tsx';
import { formatCount, formatPercent, plural } from '../../lib/format.ts';
import { showFailure } from '../../stores/toasts.ts';
import css from './import-dialog.module.css';
import { runCallImport } from './run-call-import.ts';

interface State {
  readonly file: File;
  readonly view: CallImportView | null;
  readonly running: boolean;
}

/** Imports the calls of one file, and says what became of each of its rows. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [deliver, setDeliver] = useState(false);
  const [state, setState] = useState<State | null>(null);
  const stopped = useRef(false);
  // Also when the dialog goes away.
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const begin = async (file: File) => {
    stopped.current = false;
    setState({ file, view: null, running: true });
    const show = (view: CallImportView) => setState({ file, view, running: true });
    try {
      const view = await runCallImport(file, deliver, show, () => stopped.current);
      setState({ file, view, running: false });
    } catch (error) {
      showFailure(`import ${file.name}`, error);
      setState((now) => now && { ...now, running: false });
    }
  };
  const stop = () => {
    stopped.current = true;
  };
  const running = state?.running === true;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Import calls"
      width={560}
      actions={running ? <Button onClick={stop}>Stop</Button> : <Button onClick={onClose}>Close</Button>}
    >
      {state === null ? <Choose deliver={deliver} onDeliver={setDeliver} onFile={begin} /> : <Report {...state} />}
    </Dialog>
  );
}

function Choose({
  deliver,
  onDeliver,
  onFile,
}: {
  deliver: boolean;
  onDeliver: (deliver: boolean) => void;
  onFile: (file: File) => Promise<void>;
}) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file !== undefined) void onFile(file);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: The button in it does the same for the keyboard. */}
      <div className={css.drop} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <FileButton label="File of calls" accept=".ndjson,.jsonl,.json,.har,.txt" onFile={onFile}>
          Choose a file
        </FileButton>
        <span className="secondary">or drop one here: NDJSON, Segment's own file of calls, or a HAR</span>
      </div>
      <Setting
        label="Delivery"
        hint="Without it they are kept as history: stored with origin import, and sent to nobody. A replay can send them."
      >
        <Checkbox label="Deliver the calls as if they had just come" checked={deliver} onChange={onDeliver} />
        <span aria-hidden="true">Deliver the calls as if they had just come</span>
      </Setting>
    </>
  );
}

function Report({ file, view, running }: State) {
  return (
    <>
      <p className="ellipsis">
        <bdi>{file.name}</bdi>
      </p>
      {running && (
        <div className={css.progress}>
          <progress aria-label="Import" value={file.size === 0 ? 1 : (view?.bytes ?? 0) / file.size} />
          <span>{formatPercent(view?.bytes ?? 0, Math.max(1, file.size))}</span>
        </div>
      )}
      {view !== null && <Counts view={view} />}
      {!running && view?.done !== true && <p>The import ended early. What is counted here is stored.</p>}
    </>
  );
}

function Counts({ view }: { view: CallImportView }) {
  const { imported, queued, duplicates, refused, other, problems, format } = view;
  return (
    <>
      <p role="status">
        <b className="medium">{plural(imported, 'call')} imported</b>
        {queued > 0 && `, ${formatCount(queued)} of them queued for delivery`}
        {`. ${formatCount(duplicates)} there already, ${formatCount(refused)} refused`}
        {other > 0 && `, ${formatCount(other)} no calls`}.
      </p>
      {problems.length > 0 && (
        <ul className={css.problems} aria-label="Refused">
          {problems.map(({ at, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: An entry may have several refused calls; the list only grows.
            <li key={i}>{`${format === 'har' ? 'Entry' : 'Line'} ${formatCount(at)}: ${text}`}</li>
          ))}
        </ul>
      )}
      {refused > problems.length && <p>{`and ${formatCount(refused - problems.length)} more`}</p>}
    </>
  );
}
