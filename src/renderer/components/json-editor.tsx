/** JSON that a person edits. Lines can be marked, each with a note after its end. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { syntaxHighlighting } from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers, WidgetType } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import { styleNonce } from '../platform/nonce.ts';
import codeCss from './code.module.css';
import { colours, hiddenCharacters } from './code-look.ts';
import css from './json-editor.module.css';
import viewCss from './json-view.module.css';

export interface LineMark {
  /** From 1. */
  readonly line: number;
  readonly kind: 'edited' | 'error';
  /** Stands after the end of the line, and is no part of the text. */
  readonly note: string;
}

export interface JsonEditorProps {
  readonly text: string;
  /** Its name for screen readers. */
  readonly label: string;
  readonly marks: readonly LineMark[];
  readonly onChange: (text: string) => void;
  /** Id of what describes an error. */
  readonly describedBy?: string;
}

/** Fills its parent. Tab leaves it, so that the keyboard is not caught. */
export function JsonEditor({ text, label, marks, onChange, describedBy }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    if (host.current === null) return;
    const nonce = styleNonce();
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        extensions: [
          EditorView.contentAttributes.of({
            'aria-label': label,
            // It is reached by Tab anyway; a checker of pages sees it only so.
            tabindex: '0',
            ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
          }),
          ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
          lineNumbers(),
          json(),
          history(),
          EditorView.lineWrapping,
          syntaxHighlighting(colours),
          hiddenCharacters,
          search({ top: true }),
          marked,
          keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            const isOurs = transactions.some((one) => one.effects.some((effect) => effect.is(replaced)));
            if (docChanged && !isOurs) changed.current(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label, describedBy]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor needs its text as well
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    const changes = { from: 0, to: editor.state.doc.length, insert: text };
    editor.dispatch({ changes, effects: replaced.of(null) });
  }, [text, label, describedBy]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor needs its marks as well
  useEffect(() => {
    view.current?.dispatch({ effects: setMarks.of(marks) });
  }, [marks, text, label, describedBy]);

  return <div ref={host} className={cx(codeCss.code, viewCss.host, css.editor)} />;
}

/** The text came from outside. */
const replaced = StateEffect.define<null>();
const setMarks = StateEffect.define<readonly LineMark[]>();

class Note extends WidgetType {
  readonly mark: LineMark;

  constructor(mark: LineMark) {
    super();
    this.mark = mark;
  }

  override eq(other: Note): boolean {
    return other.mark.note === this.mark.note && other.mark.kind === this.mark.kind;
  }

  override toDOM(): HTMLElement {
    const note = document.createElement('span');
    note.className = cx(css.note, this.mark.kind === 'error' && css.wrong);
    note.textContent = this.mark.note;
    return note;
  }
}

const lines = {
  edited: Decoration.line({ class: css.edited ?? '' }),
  error: Decoration.line({ class: css.error ?? '' }),
};

function decorationsOf(doc: Text, marks: readonly LineMark[]): DecorationSet {
  const ranges = marks
    .filter(({ line }) => line >= 1 && line <= doc.lines)
    .flatMap((mark) => {
      const { from, to } = doc.line(mark.line);
      const note = Decoration.widget({ widget: new Note(mark), side: 1 });
      return mark.note === '' ? [lines[mark.kind].range(from)] : [lines[mark.kind].range(from), note.range(to)];
    });
  return Decoration.set(ranges, true);
}

const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { changes, effects, newDoc }) => {
    const found = effects.find((effect) => effect.is(setMarks));
    return found === undefined ? before.map(changes) : decorationsOf(newDoc, found.value);
  },
  provide: (field) => EditorView.decorations.from(field),
});
