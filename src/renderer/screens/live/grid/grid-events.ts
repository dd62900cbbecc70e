/** Mouse, keyboard and focus handlers for the rows of the grid. */
import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import type { LiveStream } from '../../../stores/live/stream.ts';
import type { RowFocus } from './use-row-focus.ts';

interface Options {
  readonly focus: RowFocus;
  readonly stream: Pick<LiveStream, 'reading'>;
  /** How many rows Page Up and Page Down move. */
  readonly pageRows: number;
  readonly onOpen: (id: number, enter: boolean) => void;
}

export function gridEvents({ focus, stream, pageRows, onOpen }: Options) {
  return {
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const rows = rowsOfKey(event.key, pageRows);
      if (event.key === 'Enter' && focus.focusedId !== null) {
        event.preventDefault();
        onOpen(focus.focusedId, true);
      } else if (rows !== undefined) {
        event.preventDefault();
        focus.move(rows);
      }
    },
    /** A shift-click acts on rows, so it must not select the text between them. */
    onMouseDown(event: MouseEvent) {
      if (event.shiftKey) event.preventDefault();
    },
    onClick(event: MouseEvent) {
      const id = idUnder(event);
      if (id === null || selectsText(event)) return;
      if (event.shiftKey) focus.focusRow(id);
      else focus.took(id);
      onOpen(id, false);
    },
    onFocus(event: FocusEvent) {
      const id = idUnder(event);
      if (id === null) return;
      focus.took(id);
      if ((event.target as HTMLElement).matches(':focus-visible')) stream.reading({ keyboardFocus: true });
    },
    onBlur(event: FocusEvent) {
      if (!event.currentTarget.contains(event.relatedTarget)) stream.reading({ keyboardFocus: false });
    },
  };
}

function rowsOfKey(key: string, pageRows: number): number | undefined {
  return { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows, End: Number.POSITIVE_INFINITY }[key];
}

function idUnder(event: { target: EventTarget }): number | null {
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-id]');
  return row === null ? null : Number(row.dataset.id);
}

/** True when the click ended a text selection. A click by keyboard (`detail` 0) never does. */
const selectsText = (event: MouseEvent): boolean => event.detail > 0 && document.getSelection()?.isCollapsed === false;
