/** Read-only code in an editor: folding, search (Ctrl F), hidden characters boxed, large bodies cut. Text only, never markup. */

import { defaultKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { foldGutter, foldKeymap, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useMemo, useRef, useState } from 'react';
import { cx } from '../lib/cx.ts';
import { byteLength, formatSize } from '../lib/format.ts';
import { headOf } from '../lib/json.ts';
import { styleNonce } from '../platform/nonce.ts';
import { saveAndSay } from '../stores/saved.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import codeCss from './code.module.css';
import { colours, hiddenCharacters } from './code-look.ts';
import css from './json-view.module.css';
import { foldLongStrings, stringFolding } from './string-folding.ts';

export interface JsonViewProps {
  text: string;
  /** Its name for screen readers: `Payload`. */
  label: string;
  /** `json` colours and folds; `text` shows as it is. */
  language?: 'json' | 'text';
  wrap?: boolean;
  lineNumbers?: boolean;
  className?: string;
  /** The stored body, when `text` is an indented form of it. Its size is shown, and saving saves it. */
  source?: string;
  /** More of CodeMirror, e.g. line marks. Must be stable between renders. */
  extensions?: readonly Extension[];
}

/**
 * Fills its parent, or grows with its text when the parent has no height. A large body is cut until the user asks for
 * all of it.
 */
export function JsonView({ source, ...props }: JsonViewProps) {
  const { text, label, language = 'json' } = props;
  const body = source ?? text;
  const [wholeOf, setWholeOf] = useState<string | null>(null);
  const bytes = useMemo(() => byteLength(body), [body]);
  if (bytes <= LARGE_BYTES) return <CodeView {...props} />;
  if (wholeOf === body) return <CodeView {...props} focused />;
  return (
    <div className={css.large}>
      <LargeBody
        bytes={bytes}
        onShowAll={() => setWholeOf(body)}
        onSave={() => void saveAndSay(fileName(label, language), body)}
      />
      <CodeView {...props} text={headOf(text, LARGE_BYTES)} />
    </div>
  );
}

/** Bodies up to this size are shown whole at once, in bytes (design/ui, section 7). */
const LARGE_BYTES = 65_536;

function LargeBody({ bytes, onShowAll, onSave }: { bytes: number; onShowAll: () => void; onSave: () => void }) {
  return (
    <Banner
      className={css.notice}
      title="Large body."
      actions={
        <>
          <Button size="sm" onClick={onShowAll}>
            Show all
          </Button>
          <Button size="sm" onClick={onSave}>
            Save as file
          </Button>
        </>
      }
    >
      {`Only the first part of ${formatSize(bytes)} is shown.`}
    </Banner>
  );
}

const fileName = (label: string, language: 'json' | 'text'): string =>
  `${label.toLowerCase().replaceAll(' ', '-')}.${language === 'json' ? 'json' : 'txt'}`;

function CodeView({
  text,
  label,
  language = 'json',
  wrap = false,
  lineNumbers: numbers = true,
  className,
  extensions,
  focused = false,
}: Omit<JsonViewProps, 'source'> & { focused?: boolean }) {
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
          ...(language === 'json' ? [json(), stringFolding, foldGutter({ markerDOM: foldMarker })] : []),
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
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: text },
      effects: language === 'json' ? foldLongStrings(text) : [],
    });
  }, [text, label, language, wrap, numbers, extensions]);

  // The focused button, which asked for all of it, is gone.
  useEffect(() => {
    if (focused) view.current?.focus();
  }, [focused]);

  return <div ref={host} className={cx(codeCss.code, css.host, className)} />;
}

function foldMarker(open: boolean): HTMLElement {
  const mark = document.createElement('span');
  mark.className = cx(css.foldMark, open && css.open);
  mark.textContent = '\u203a';
  mark.title = open ? 'Fold' : 'Unfold';
  return mark;
}
