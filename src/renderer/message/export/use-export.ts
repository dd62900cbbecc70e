/** An export that runs in this window: its progress, and how it is stopped. */
import { useEffect, useRef, useState } from 'react';
import { showFailure } from '../../stores/toasts.ts';
import { type ExportAsked, type Exported, type ExportProgress, runExport } from './run-export.ts';

export interface RunningExport {
  /** Null while none runs. */
  readonly progress: ExportProgress | null;
  /** Null when it was stopped or failed; a failure is shown. */
  readonly run: (asked: ExportAsked) => Promise<Exported | null>;
  readonly stop: () => void;
}

export function useExport(): RunningExport {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const stopped = useRef(false);
  // Also when the dialog goes away.
  useEffect(
    () => () => {
      stopped.current = true;
    },
    [],
  );
  const run = async (asked: ExportAsked): Promise<Exported | null> => {
    stopped.current = false;
    setProgress({ written: 0, share: 0 });
    try {
      return await runExport(asked, setProgress, () => stopped.current);
    } catch (error) {
      showFailure('export the messages', error);
      return null;
    } finally {
      setProgress(null);
    }
  };
  const stop = () => {
    stopped.current = true;
  };
  return { progress, run, stop };
}
