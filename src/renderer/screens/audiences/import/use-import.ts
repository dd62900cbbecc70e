import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AUDIENCE_LIMITS, type ImportView, type MembersChanged } from '../../../../contract/audiences.ts';
import { failureText } from '../../../components/commit-field.tsx';
import { call } from '../../../platform/connect.ts';
import { sentence } from '../words.ts';
import { piecesOf, textOf } from './pieces.ts';
import type { ImportMode } from './words.ts';

/** While the stored calls of the ids are counted, the engine is asked this often, in real milliseconds. */
const ASK_MS = 250;

/** One import; it has a token once the engine knows it. */
interface Own {
  token: string | null;
}

export interface Import {
  /** Null before a text is read. */
  readonly view: ImportView | null;
  /** Of the reading, from 0 to 1. */
  readonly progress: number;
  readonly problem: string | null;
  /** True while members are added. */
  readonly isRunning: boolean;
  readonly readText: (text: string, fileName: string | null) => Promise<void>;
  readonly readFile: (file: File) => Promise<void>;
  readonly choose: (columns: { userId: number; label: number | null }) => Promise<void>;
  /** Null when it failed, which is shown. */
  readonly run: (mode: ImportMode) => Promise<MembersChanged | null>;
  /** Forgets what was read. */
  readonly clear: () => void;
}

/** One import of an audience: the text goes to the engine in pieces, which says what it holds. */
export function useImport(audienceId: number): Import {
  const [view, setView] = useState<ImportView | null>(null);
  const [progress, setProgress] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  /** The import that is shown. An answer for another one comes too late. */
  const own = useRef<Own>({ token: null });

  const leave = useCallback(() => {
    const { token } = own.current;
    own.current = { token: null };
    if (token !== null) call('audiences.importClose', { import: token }).catch(() => {});
  }, []);
  useEffect(() => leave, [leave]);

  const clear = useCallback(() => {
    leave();
    setView(null);
    setProblem(null);
    setProgress(0);
  }, [leave]);

  /** Forgets what was read. Of two files the one that was chosen last counts. */
  const begin = (): Own => {
    clear();
    const mine: Own = { token: null };
    own.current = mine;
    return mine;
  };
  const refuse = (text: string): void => {
    clear();
    setProblem(text);
  };

  const read = async (mine: Own, text: string, fileName: string | null): Promise<void> => {
    const isMine = (): boolean => own.current === mine;
    try {
      const opened = await call('audiences.importOpen', { id: audienceId, ...(fileName !== null && { fileName }) });
      mine.token = opened.import;
      if (!isMine()) return void call('audiences.importClose', { import: opened.import }).catch(() => {});
      for await (const { next, sent } of sentPieces(opened.import, text)) {
        if (!isMine()) return;
        setView(next);
        setProgress(sent);
      }
    } catch (failure) {
      if (isMine()) refuse(sentence(failureText(failure)));
    }
  };
  const readText = (text: string, fileName: string | null): Promise<void> => read(begin(), text, fileName);

  const readFile = async (file: File): Promise<void> => {
    if (file.size > AUDIENCE_LIMITS.fileBytes) return refuse('The file is larger than 32 MB.');
    const mine = begin();
    const text = textOf(await file.arrayBuffer());
    if (own.current !== mine) return;
    if (text === null) return refuse('The file is not UTF-8. Save it as UTF-8 and try again.');
    return read(mine, text, file.name);
  };

  const token = view?.import ?? null;
  useCounting(view, progress, (next) => own.current.token === next.import && setView(next));

  const choose = async (columns: { userId: number; label: number | null }): Promise<void> => {
    if (token === null) return;
    try {
      const next = await call('audiences.importColumns', { import: token, ...columns });
      if (own.current.token === token) setView(next);
    } catch (failure) {
      setProblem(sentence(failureText(failure)));
    }
  };

  const run = async (mode: ImportMode): Promise<MembersChanged | null> => {
    if (token === null || isRunning) return null;
    setRunning(true);
    setProblem(null);
    try {
      return await call('audiences.importRun', { import: token, mode });
    } catch (failure) {
      setProblem(sentence(failureText(failure)));
      return null;
    } finally {
      setRunning(false);
    }
  };
  return { view, progress, problem, isRunning, readText, readFile, choose, run, clear };
}

/** Sends a text in pieces; after each one, what the engine knows and the part of the text that is sent. */
async function* sentPieces(token: string, text: string): AsyncGenerator<{ next: ImportView; sent: number }> {
  let sent = 0;
  for (const piece of piecesOf(text)) {
    sent += piece.length;
    const last = sent === text.length;
    const next = await call('audiences.importText', { import: token, text: piece, last });
    yield { next, sent: last ? 1 : sent / text.length };
  }
}

/** Asks again while the stored calls of the ids are counted. */
function useCounting(view: ImportView | null, progress: number, onView: (next: ImportView) => void): void {
  const current = useRef(onView);
  useLayoutEffect(() => {
    current.current = onView;
  });
  const isCounting =
    view !== null && view.state !== 'no_column' && (view.state === 'reading' ? progress === 1 : !view.known.done);
  useEffect(() => {
    if (view === null || !isCounting) return;
    const timer = setTimeout(() => {
      call('audiences.importView', { import: view.import }).then(
        (next) => current.current(next),
        () => {},
      );
    }, ASK_MS);
    return () => clearTimeout(timer);
  }, [view, isCounting]);
}
