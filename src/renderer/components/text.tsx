/** Text from outside: it keeps its own direction, and hidden characters are shown as boxed code points. */

import { splitMarks } from '../lib/marks.ts';
import css from './text.module.css';

/** Longer text is cut, because nobody reads it on one line and its layout costs time. */
const MAX_CHARACTERS = 2000;

/** `dir="auto"` inside `bdi`, left aligned by the parent. `ltr` for ids, URLs, headers. Cut after `max` characters. */
export function Text({
  children,
  ltr = false,
  max = MAX_CHARACTERS,
  className,
}: {
  children: string;
  ltr?: boolean;
  max?: number;
  className?: string;
}) {
  const shown = children.length > max ? `${children.slice(0, max)}\u2026` : children;
  const parts = splitMarks(shown);
  return (
    <bdi dir={ltr ? 'ltr' : 'auto'} className={className}>
      {parts.length === 1 && typeof parts[0] === 'string'
        ? shown
        : parts.map((part, i) =>
            typeof part === 'string' ? (
              part
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
              <span key={i} className={css.codePoint} title="A character that is not visible">
                {part.code}
              </span>
            ),
          )}
    </bdi>
  );
}
