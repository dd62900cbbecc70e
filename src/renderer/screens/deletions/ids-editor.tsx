import { TriangleAlert } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { Glyph } from '../../components/glyph.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { splitMarks } from '../../lib/marks.ts';
import { type DraftLine, plainLines } from './draft-lines.ts';
import css from './ids-editor.module.css';
import { callsText, type LineMark } from './words.ts';

const LINE = 26;
/** Above the first line. */
const PADDING = 6;
/** Lines drawn above and below those in sight. */
const AROUND = 10;
/** Taken until the height is known. */
const FIRST_HEIGHT = 260;
/** Pasted lines that the browser itself puts into the box, so that it can take them back. */
const MOST_TYPED = 100;

/** A box for user ids, one in a line, with a mark beside each. Spaces at the ends of an id are drawn as dots. */
export function IdsEditor({
  text,
  lines,
  markFor,
  describedBy,
  invalid,
  onText,
  onFile,
}: {
  text: string;
  lines: readonly DraftLine[];
  markFor: (line: DraftLine) => LineMark | null;
  describedBy: string;
  invalid: boolean;
  onText: (text: string) => void;
  onFile: (file: File) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: FIRST_HEIGHT });
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setView({ top: element.scrollTop, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(view.top / LINE) - AROUND);
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / LINE) + AROUND);
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer.files[0];
    if (file === undefined) return;
    event.preventDefault();
    onFile(file);
  };
  return (
    <div
      ref={box}
      className={cx(css.box, invalid && css.invalid)}
      onScroll={(event) =>
        setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight || FIRST_HEIGHT })
      }
    >
      <div className={css.inner} style={{ height: lines.length * LINE + 2 * PADDING }}>
        {lines.slice(first, last).map((line) => (
          <Line key={line.number} line={line} mark={markFor(line)} left={left} />
        ))}
        <textarea
          className={css.area}
          dir="ltr"
          wrap="off"
          autoComplete="off"
          spellCheck={false}
          aria-label="User ids, one in a line"
          aria-describedby={describedBy}
          aria-invalid={invalid || undefined}
          ref={focusOnce}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onScroll={(event) => setLeft(event.currentTarget.scrollLeft)}
          onPaste={(event) => pasteMany(event, box.current, onText)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={drop}
        />
      </div>
    </div>
  );
}

/**
 * Chromium takes minutes to insert 10,000 lines into a box as if they were typed. Many lines are put in as a new value
 * instead, which takes milliseconds. The caret goes behind them and into sight, as always.
 */
function pasteMany(
  event: ClipboardEvent<HTMLTextAreaElement>,
  box: HTMLElement | null,
  onText: (text: string) => void,
): void {
  const pasted = plainLines(event.clipboardData.getData('text/plain'));
  if (pasted.split('\n', MOST_TYPED + 1).length <= MOST_TYPED) return;
  event.preventDefault();
  const area = event.currentTarget;
  const { value, selectionStart, selectionEnd } = area;
  const before = value.slice(0, selectionStart) + pasted;
  onText(before + value.slice(selectionEnd));
  requestAnimationFrame(() => {
    area.setSelectionRange(before.length, before.length);
    const line = before.split('\n').length;
    if (box !== null) box.scrollTop = line * LINE;
  });
}

function Line({ line: { number, userId }, mark, left }: { line: DraftLine; mark: LineMark | null; left: number }) {
  return (
    <div
      className={cx(css.line, mark?.kind === 'near' && css.near)}
      style={{ top: PADDING + (number - 1) * LINE }}
      data-line={number}
    >
      <i className={css.number} aria-hidden="true">
        {formatCount(number)}
      </i>
      <span className={css.under} aria-hidden="true">
        <span style={left === 0 ? undefined : { marginLeft: -left }}>
          <Under userId={userId} isSame={mark?.kind === 'same'} />
        </span>
      </span>
      <span className={cx(css.mark, mark?.kind === 'near' ? css.markNear : 'secondary')}>
        {mark !== null && (
          <>
            <MarkGlyph mark={mark} />
            <span className="ellipsis" title={asFound(userId) ?? undefined}>
              <span className="visually-hidden">{`Line ${formatCount(number)}: `}</span>
              <MarkText mark={mark} />
              {asFound(userId) !== null && `; ${asFound(userId)}`}
            </span>
          </>
        )}
      </span>
    </div>
  );
}

/** Drawn under the text of the box, sign for sign: a line through a duplicate, dots in place of spaces at the ends. */
function Under({ userId, isSame }: { userId: string; isSame: boolean }) {
  const inner = userId.trim();
  const before = inner === '' ? userId.length : userId.indexOf(inner);
  const after = userId.length - before - inner.length;
  return (
    <>
      {before > 0 && <span className={css.spaces}>{'\u00b7'.repeat(before)}</span>}
      <span className={isSame ? css.same : undefined}>{inner}</span>
      {after > 0 && <span className={css.spaces}>{'\u00b7'.repeat(after)}</span>}
    </>
  );
}

const MarkGlyph = ({ mark }: { mark: LineMark }) =>
  mark.kind === 'near' ? (
    <TriangleAlert className="icon" aria-hidden="true" />
  ) : (
    <Glyph name={mark.kind === 'known' ? 'delivered' : 'not_selected'} />
  );

function MarkText({ mark }: { mark: LineMark }) {
  switch (mark.kind) {
    case 'known':
      return mark.calls === null ? 'known' : callsText(mark.calls);
    case 'near':
      return (
        <>
          {'no calls; '}
          <Text ltr max={60}>
            {mark.near.userId}
          </Text>
          {` has ${formatCount(mark.near.calls)}`}
        </>
      );
    case 'unknown':
      return 'no source knows it';
    case 'same':
      return `same as line ${formatCount(mark.line)}`;
  }
}

/** What cannot be seen in an id and is part of it: `begins with a space, kept as found`, `has U+202E, kept as found`. Null when there is nothing. */
function asFound(userId: string): string | null {
  const parts: string[] = [];
  const [begins, ends] = [userId.trimStart() !== userId, userId.trimEnd() !== userId];
  if (begins || ends) parts.push(`${begins && ends ? 'begins and ends' : begins ? 'begins' : 'ends'} with a space`);
  const hidden = splitMarks(userId.trim()).flatMap((part) => (typeof part === 'string' ? [] : [part.code]))[0];
  if (hidden !== undefined) parts.push(`has ${hidden}`);
  return parts.length === 0 ? null : `${parts.join(', ')}, kept as found`;
}

/** The form is opened to write here. */
const focusOnce = (area: HTMLTextAreaElement | null): void => area?.focus();
