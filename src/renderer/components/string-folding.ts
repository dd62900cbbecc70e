/** Long strings of JSON fold to their first part and "… 1.8 KB more" (design/ui, section 7). */
import { codeFolding, foldEffect } from '@codemirror/language';
import type { EditorState, Extension, StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { byteLength, formatSize } from '../lib/format.ts';
import { headOf, longStrings } from '../lib/json.ts';

/** Longer strings fold, in characters. Long keys fold too, so that the value after a key stays in sight. */
const LONGEST = { value: 2000, key: 120 };
/** How much of a folded string stays visible, in characters. */
const SHOWN = { value: 200, key: 60 };

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The folds for a new text, to be dispatched with the change that sets it. */
export const foldLongStrings = (text: string): StateEffect<Range>[] =>
  longStrings(text, LONGEST).map(({ from, to, isKey }) => {
    const shown = SHOWN[isKey ? 'key' : 'value'];
    return foldEffect.of({ from: from + headOf(text.slice(from, from + shown), shown).length, to });
  });

/** The bytes hidden in a folded string, or null when the fold is the inside of braces or brackets. */
function hiddenBytes(state: EditorState, { from, to }: Range): number | null {
  return '}]'.includes(state.sliceDoc(to, to + 1) || ' ') ? null : byteLength(state.sliceDoc(from, to));
}

function placeholder(view: EditorView, unfold: (event: Event) => void, bytes: number | null): HTMLElement {
  const button = document.createElement('button');
  const more = bytes === null ? '' : `${formatSize(bytes)} more`;
  button.type = 'button';
  button.className = 'cm-foldPlaceholder';
  button.textContent = bytes === null ? '\u2026' : `\u2026 ${more}`;
  button.title = bytes === null ? 'Unfold' : 'Show all of this text';
  button.setAttribute('aria-label', bytes === null ? 'Unfold' : `Show ${more}`);
  button.onclick = (event) => {
    unfold(event);
    view.focus();
  };
  return button;
}

/** The language's folding, with buttons as placeholders that say how much of a string is hidden. */
export const stringFolding: Extension = codeFolding({
  preparePlaceholder: hiddenBytes,
  placeholderDOM: placeholder,
});
