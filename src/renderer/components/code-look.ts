/** How code looks in CodeMirror, to read and to edit. */
import { highlightSpecialChars } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import { codePoint, MARKED_IN_CODE } from '../lib/marks.ts';
import codeCss from './code.module.css';
import textCss from './text.module.css';

/** Classes of our own; no style is injected for colours. */
export const colours = tagHighlighter([
  { tag: tags.propertyName, class: codeCss.key! },
  { tag: tags.string, class: codeCss.string! },
  { tag: [tags.number, tags.bool, tags.null], class: codeCss.number! },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], class: codeCss.punctuation! },
]);

/** Characters that cannot be seen, as boxed code points. */
export const hiddenCharacters = highlightSpecialChars({
  addSpecialChars: MARKED_IN_CODE,
  render: (code, description) => {
    const mark = document.createElement('span');
    mark.className = textCss.codePoint ?? '';
    mark.textContent = codePoint(String.fromCodePoint(code));
    mark.title = description ?? 'A character that is not visible';
    return mark;
  },
});
