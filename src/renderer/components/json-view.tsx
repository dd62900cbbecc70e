/** Read-only code in an editor: folding, search (Ctrl F), hidden characters boxed. Text only, never markup. */
import { defaultKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { codeFolding, foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { cx } from '../lib/cx.ts';
import { codePoint, MARKED_IN_CODE } from '../lib/marks.ts';
import { styleNonce } from '../platform/nonce.ts';

/** Classes of base.css; no style is injected for colours. */
const colours = tagHighlighter([
  { tag: tags.propertyName, class: 'k' },
  { tag: tags.string, class: 's' },
  { tag: [tags.number, tags.bool, tags.null], class: 'n' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], class: 'p' },
]);

const hiddenCharacters = highlightSpecialChars({
  addSpecialChars: MARKED_IN_CODE,
  render: (code, description) => {
    const mark = document.createElement('span');
    mark.className = 'cp';
    mark.textContent = codePoint(String.fromCodePoint(code));
    mark.title = description ?? 'A character that is not visible';
    return mark;
  },
});

export interface JsonViewProps {
  text: string;
  /** Its name for screen readers: `Payload`. */
  label: string;
  /** `json` colours and folds; `text` shows as it is. */
  language?: 'json' | 'text';
  wrap?: boolean;
  lineNumbers?: boolean;
  className?: string;
  /** More of CodeMirror, e.g. line marks. Must be stable between renders. */
  extensions?: readonly Extension[];
}

/** Fills its parent, or grows with its text when the parent has no height. */
export function JsonView({
  text,
  label,
  language = 'json',
  wrap = false,
  lineNumbers: numbers = true,
  className,
  extensions,
}: JsonViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);

  useEffect(() => {
    if (host.current === null) return;
    const nonce = styleNonce();
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
          ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
          ...(numbers ? [lineNumbers()] : []),
          ...(language === 'json' ? [json(), codeFolding(), foldGutter({ markerDOM: foldMarker })] : []),
          ...(wrap ? [EditorView.lineWrapping] : []),
          syntaxHighlighting(colours),
          hiddenCharacters,
          search({ top: true }),
          highlightSelectionMatches(),
          keymap.of([...foldKeymap, ...searchKeymap, ...defaultKeymap]),
          ...(extensions ?? []),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label, language, wrap, numbers, extensions]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor needs its text as well
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text, label, language, wrap, numbers, extensions]);

  return <div ref={host} className={cx('code cm-host', className)} />;
}

function foldMarker(open: boolean): HTMLElement {
  const mark = document.createElement('span');
  mark.className = cx('fold-mark', open && 'open');
  mark.textContent = '\u203a';
  mark.title = open ? 'Fold' : 'Unfold';
  return mark;
}
