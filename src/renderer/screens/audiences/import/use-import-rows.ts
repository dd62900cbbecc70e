import { useCallback, useEffect, useRef, useState } from 'react';
import type { ImportResult, ImportRow } from '../../../../contract/audiences.ts';
import { call } from '../../../platform/connect.ts';

const WINDOW = 200;

export type RowOrder = 'problems' | 'file';

export interface ImportRows {
  /** Undefined while it is on its way. */
  readonly at: (index: number) => ImportRow | undefined;
  /** Asks for the rows of this range that are not there. */
  readonly need: (first: number, last: number) => void;
}

/** Rows of an import by their place, in windows. Another `version` reads those in sight again. */
export function useImportRows(
  token: string,
  { show, order, version }: { show: 'all' | ImportResult; order: RowOrder; version: string },
): ImportRows {
  const subject = `${token} ${show} ${order} ${version}`;
  const list = `${token} ${show} ${order}`;
  const [loaded, setLoaded] = useState<{ list: string; windows: ReadonlyMap<number, readonly ImportRow[]> }>({
    list,
    windows: new Map(),
  });
  /** Windows that were asked for, of one subject. */
  const asked = useRef({ subject, windows: new Set<number>() });
  const range = useRef({ first: 0, last: 0 });

  const need = useCallback(
    (first: number, last: number) => {
      range.current = { first, last };
      if (asked.current.subject !== subject) asked.current = { subject, windows: new Set() };
      const { current } = asked;
      for (let window = Math.floor(first / WINDOW); window * WINDOW < last; window += 1) {
        if (current.windows.has(window)) continue;
        current.windows.add(window);
        call('audiences.importRows', { import: token, show, order, offset: window * WINDOW, limit: WINDOW }).then(
          ({ rows }) => {
            if (asked.current !== current) return;
            setLoaded((before) => ({
              list,
              windows: new Map(before.list === list ? before.windows : []).set(window, rows),
            }));
          },
          () => current.windows.delete(window),
        );
      }
    },
    [subject, list, token, show, order],
  );
  // Rows in sight are read again when the counts have changed.
  useEffect(() => need(range.current.first, range.current.last), [need]);
  const windows = loaded.list === list ? loaded.windows : null;
  return { at: (index) => windows?.get(Math.floor(index / WINDOW))?.[index % WINDOW], need };
}
