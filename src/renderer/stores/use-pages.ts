import { useCallback, useEffect, useRef, useState } from 'react';
import type { Page } from '../../contract/audiences.ts';
import { useNewest } from './use-read-again.ts';

/** Real milliseconds between two readings of a list that changes. */
const EVERY_MS = 500;
/** A list with more rows on screen is read again only when the user asks. */
const MOST_READ_AGAIN = 2_000;

export interface Pages<R> {
  readonly rows: readonly R[];
  /** `loading` while there is nothing to show yet. */
  readonly state: 'loading' | 'ready' | 'failed';
  /** Null at the end, and while a window is on its way. */
  readonly more: (() => void) | null;
  /** The rows are older than the list, which is too long to be read again by itself. */
  readonly stale: boolean;
  readonly reload: () => void;
}

interface Loaded<R> {
  readonly subject: string;
  readonly family: string;
  readonly rows: readonly R[];
  readonly next: string | null;
  readonly state: Pages<R>['state'];
}

/**
 * A long list in windows with a cursor. Another `subject` is another list; another `version` is the same one with other
 * rows, which replace those shown as soon as they are there. So is another subject of the same `family`, such as
 * another search in one list.
 */
export function usePages<R>(
  subject: string,
  version: string,
  read: (after: string | undefined) => Promise<Page<R>>,
  family: string = subject,
): Pages<R> {
  const [loaded, setLoaded] = useState<Loaded<R>>({ subject, family, rows: [], next: null, state: 'loading' });
  const [turn, setTurn] = useState(0);
  const [readAs, setReadAs] = useState('');
  const reading = useRef(read);
  reading.current = read;
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  const begin = useNewest();
  const isShown = loaded.subject === subject;
  const ofBefore = loaded.family === family && loaded.rows.length > 0 ? loaded.rows : null;
  const rows = isShown ? loaded.rows : (ofBefore ?? []);
  const count = useRef(0);
  count.current = isShown ? rows.length : 0;
  const wanted = `${subject} ${version} ${turn}`;
  const forced = useRef(turn);

  useEffect(() => {
    const isForced = forced.current !== turn;
    if (count.current > MOST_READ_AGAIN && !isForced) return;
    const wait = Math.max(0, count.current === 0 ? 0 : readAt.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      forced.current = turn;
      readAt.current = performance.now();
      const isNewest = begin();
      const room = isForced ? 0 : count.current;
      readWindows(reading.current, room).then(
        (answer) => {
          if (!isNewest()) return;
          setLoaded({ subject, family, ...answer, state: 'ready' });
          setReadAs(wanted);
        },
        () => {
          if (!isNewest()) return;
          setLoaded((before) =>
            before.subject === subject
              ? { ...before, state: 'failed' }
              : { subject, family, rows: [], next: null, state: 'failed' },
          );
        },
      );
    }, wait);
    return () => clearTimeout(timer);
  }, [subject, family, turn, wanted, begin]);

  const { next } = loaded;
  const more = useCallback(() => {
    if (next === null) return;
    const isNewest = begin();
    readFull(reading.current, next).then(
      (page) => {
        if (!isNewest()) return;
        setLoaded((before) => ({ ...before, rows: [...before.rows, ...page.rows], next: page.next }));
      },
      () => isNewest() && setLoaded((before) => ({ ...before, state: 'failed' })),
    );
  }, [next, begin]);
  return {
    rows,
    state: isShown ? loaded.state : ofBefore === null ? 'loading' : 'ready',
    more: isShown && next !== null ? more : null,
    stale: isShown && rows.length > MOST_READ_AGAIN && readAs !== wanted,
    reload: () => setTurn((now) => now + 1),
  };
}

type Read<R> = (after: string | undefined) => Promise<Page<R>>;

/** The next window that has a row: with a search some have none. */
async function readFull<R>(read: Read<R>, after: string | undefined): Promise<Page<R>> {
  let page = await read(after);
  while (page.rows.length === 0 && page.next !== null) page = await read(page.next);
  return page;
}

/** At least one window, and as many as it takes for `room` rows. */
async function readWindows<R>(read: Read<R>, room: number): Promise<Page<R>> {
  let { rows, next } = await readFull(read, undefined);
  while (next !== null && rows.length < room) {
    const page = await readFull(read, next);
    rows = [...rows, ...page.rows];
    next = page.next;
  }
  return { rows, next };
}
