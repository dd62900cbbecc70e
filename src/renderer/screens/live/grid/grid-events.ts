/** Mouse, keyboard and focus handlers for the rows of the grid. */
import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import type { Selection } from '../../../stores/live/selection.ts';
import type { LiveStream } from '../../../stores/live/stream.ts';
import type { RowFocus } from './use-row-focus.ts';

/** Where the menu opens by keyboard, in px from the left edge of the row. */
const BESIDE_EDGE = 40;

interface Options {
  readonly focus: RowFocus;
  readonly stream: Pick<LiveStream, 'reading'>;
  readonly selection: Selection;
  /** The open message, from which Shift and a click extend when nothing else was touched. */
  readonly openId: number | null;
  /** How many rows Page Up and Page Down move. */
  readonly pageRows: number;
  readonly onOpen: (id: number, enter: boolean) => void;
  /** The menu of a row is asked for: by the other button, the menu key or Shift F10. */
  readonly onMenu: (at: RowAt) => void;
}

/** A row, and where on the window its menu opens, in px. */
export interface RowAt {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export function gridEvents({ focus, stream, selection, openId, pageRows, onOpen, onMenu }: Options) {
  const clicked = (event: MouseEvent, id: number) => {
    if (event.shiftKey) {
      selection.extendTo(id, focus.focusedId ?? openId);
      focus.focusRow(id);
    } else if (event.ctrlKey || event.metaKey || onCheckbox(event)) {
      selection.toggle(id);
      focus.took(id);
    } else {
      selection.anchorAt(id);
      focus.took(id);
      onOpen(id, false);
    }
  };
  return {
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const rows = rowsOfKey(event.key, pageRows);
      if (event.key === 'Enter' && focus.focusedId !== null) {
        event.preventDefault();
        onOpen(focus.focusedId, true);
      } else if (event.key === 'Escape' && selection.snapshot().count > 0) {
        event.preventDefault();
        selection.clear();
      } else if (rows !== undefined) {
        event.preventDefault();
        focus.move(rows, event.shiftKey);
      }
    },
    /** A shift-click acts on rows, so it must not select the text between them. */
    onMouseDown(event: MouseEvent) {
      if (event.shiftKey) event.preventDefault();
    },
    onClick(event: MouseEvent) {
      const id = idUnder(event);
      if (id === null || selectsText(event)) return;
      clicked(event, id);
    },
    /** Over selected text the browser's own menu copies it. */
    onContextMenu(event: MouseEvent) {
      const id = idUnder(event);
      if (id === null || document.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      focus.took(id);
      onMenu({ id, ...menuPlace(event) });
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

/** At the pointer. The menu key reports a point of its own, which may be off the row: then under the row's event. */
function menuPlace(event: MouseEvent): { x: number; y: number } {
  const row = (event.target as HTMLElement).closest('[data-id]')?.getBoundingClientRect();
  const { clientX: x, clientY: y } = event;
  if (row === undefined || (x > row.left && x < row.right && y >= row.top && y <= row.bottom)) return { x, y };
  return { x: row.left + BESIDE_EDGE, y: row.bottom };
}

function rowsOfKey(key: string, pageRows: number): number | undefined {
  return { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows, End: Number.POSITIVE_INFINITY }[key];
}

/** The checkbox is drawn in the place of the type's icon. */
const onCheckbox = (event: MouseEvent): boolean => (event.target as Element).closest('[data-checkbox] svg') !== null;

function idUnder(event: { target: EventTarget }): number | null {
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-id]');
  return row === null ? null : Number(row.dataset.id);
}

/** True when the click ended a text selection. A click by keyboard (`detail` 0) never does. */
const selectsText = (event: MouseEvent): boolean => event.detail > 0 && document.getSelection()?.isCollapsed === false;
