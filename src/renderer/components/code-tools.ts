/** What a screen does with the text in a code view: follow the caret, search, copy by key, mark a fault. */
import { openSearchPanel } from '@codemirror/search';
import type { EditorState, Extension } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, ViewPlugin, WidgetType } from '@codemirror/view';
import css from './code-tools.module.css';

export interface CodeTools {
  readonly extensions: readonly Extension[];
  /** Opens the search of the view. */
  find(): void;
}

export interface CodeToolKeys {
  /** Told when a person moves the caret. */
  readonly onCaret: (offset: number) => void;
  /** Told where the caret is. */
  readonly onCopyPath: (offset: number) => void;
  readonly onCopyValue: (offset: number) => void;
}

export function codeTools({ onCaret, onCopyPath, onCopyValue }: CodeToolKeys): CodeTools {
  let view: EditorView | null = null;
  const atCaret =
    (action: (offset: number) => void) =>
    ({ state }: EditorView) => {
      action(state.selection.main.head);
      return true;
    };
  return {
    extensions: [
      ViewPlugin.define((own) => {
        view = own;
        return {
          destroy: () => {
            if (view === own) view = null;
          },
        };
      }),
      EditorView.updateListener.of(({ selectionSet, docChanged, state }) => {
        if (selectionSet && !docChanged) onCaret(state.selection.main.head);
      }),
      keymap.of([
        { key: 'Alt-p', run: atCaret(onCopyPath), preventDefault: true },
        { key: 'Alt-v', run: atCaret(onCopyValue), preventDefault: true },
      ]),
    ],
    find: () => {
      if (view !== null) openSearchPanel(view);
    },
  };
}

class EndMark extends WidgetType {
  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = css.fault ?? '';
    mark.textContent = '\u2026';
    return mark;
  }
}

/** Marks the character at which a text stops being JSON, and its line, and scrolls there. */
export function faultAt(offset: number): Extension {
  const marks = (state: EditorState): DecorationSet => {
    const { doc } = state;
    if (doc.length === 0 || offset > doc.length) return Decoration.none;
    const line = doc.lineAt(offset);
    const isSign = offset < line.to;
    return Decoration.set([
      Decoration.line({ class: css.faultLine ?? '' }).range(line.from),
      isSign
        ? Decoration.mark({ class: css.fault ?? '' }).range(offset, offset + 1)
        : Decoration.widget({ widget: new EndMark(), side: 1 }).range(offset),
    ]);
  };
  return [
    EditorView.decorations.compute(['doc'], marks),
    EditorView.updateListener.of(({ docChanged, view, state }) => {
      if (!docChanged || offset > state.doc.length) return;
      queueMicrotask(() => view.dispatch({ effects: EditorView.scrollIntoView(offset, { y: 'center' }) }));
    }),
  ];
}
