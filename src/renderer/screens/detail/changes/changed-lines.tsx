/** The received call and its last form as indented JSON: side by side, or as one text. Each reason stands below. */
import { Fragment, useMemo, useState } from 'react';
import type { FieldView } from '../../../../contract/call-changes.ts';
import { Button } from '../../../components/button.tsx';
import codeCss from '../../../components/code.module.css';
import { JsonLine } from '../../../components/json-line.tsx';
import { ScrollRegion } from '../../../components/scroll-region.tsx';
import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import { plural } from '../../../lib/format.ts';
import { type ChangeLine, inlineOf, type Legend, type LineMark, legendOf, linesOf } from './change-lines.ts';
import css from './changes.module.css';
import type { Column } from './field-table.tsx';

/** Lines that are drawn before a button offers more. */
const STEP = 500;

type Side = 'left' | 'right';

interface NumberedLine extends ChangeLine {
  readonly numbers: Readonly<Record<Side, number>>;
}

/** Counts the lines of each side from 1. */
function numbered(lines: readonly ChangeLine[]): NumberedLine[] {
  let left = 0;
  let right = 0;
  return lines.map((line) => {
    if (line.left !== null) left += 1;
    if (line.right !== null) right += 1;
    return { ...line, numbers: { left, right } };
  });
}

export function ChangedLines({
  fields,
  left,
  right,
  inline,
}: {
  fields: readonly FieldView[];
  left: Column;
  right: Column;
  inline: boolean;
}) {
  const lines = useMemo(() => linesOf(fields), [fields]);
  const legend = useMemo(() => legendOf(lines), [lines]);
  const rows = useMemo(() => numbered(inline ? inlineOf(lines) : lines), [lines, inline]);
  const [shown, setShown] = useState(STEP);
  const drawn = rows.slice(0, shown);
  return (
    <>
      <ScrollRegion
        className={cx(css.lines, inline && css.inline)}
        aria-label={`${left.name} and ${right.name.toLowerCase()}, ${inline ? 'in one text' : 'side by side'}`}
      >
        <LinesHead column={left} />
        {!inline && <LinesHead column={right} />}
        {inline && <LinesHead column={right} />}
        {inline ? (
          <div className={cx(codeCss.code, css.column)}>
            {drawn.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
              <Line key={at} line={line} side={line.left === null ? 'right' : 'left'} />
            ))}
          </div>
        ) : (
          (['left', 'right'] as const).map((side) => (
            <div key={side} className={cx(codeCss.code, css.column)}>
              {drawn.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                <Line key={at} line={line} side={side} />
              ))}
            </div>
          ))
        )}
      </ScrollRegion>
      {rows.length > shown && (
        <Button size="sm" variant="ghost" onClick={() => setShown(shown + STEP)}>
          {`Show more of ${plural(rows.length, 'line')}`}
        </Button>
      )}
      <Reasons legend={legend} />
    </>
  );
}

const LinesHead = ({ column: { name, size } }: { column: Column }) => (
  <p className={css.linesHead}>
    <span className="medium">{name}</span> <span className="muted small">{size}</span>
  </p>
);

const MARKS: Record<LineMark, string> = { same: '', removed: '\u2212', added: '+', changed: '~' };
const WORDS: Record<Legend['mark'], string> = { removed: 'Left out', added: 'Added', changed: 'Rewritten' };

function Line({ line: { mark, about, numbers, ...texts }, side }: { line: NumberedLine; side: Side }) {
  const text = texts[side];
  if (text === null) return <div className={cx(codeCss.line, codeCss.gap)} />;
  return (
    <div
      className={cx(codeCss.line, mark !== 'same' && codeCss[mark])}
      title={about === null ? undefined : `${about.path}: ${about.why}`}
    >
      <i aria-hidden="true">{numbers[side]}</i>
      <b>
        {MARKS[mark]}
        {mark !== 'same' && <span className="visually-hidden">{WORDS[mark]}</span>}
      </b>
      <span>
        <JsonLine line={text} />
      </span>
    </div>
  );
}

/** Fields that are named with a reason; the others are counted. */
const NAMED = 6;

const Reasons = ({ legend }: { legend: readonly Legend[] }) => (
  <dl className={css.legend} aria-label="Why">
    {legend.map(({ mark, why, paths }) => (
      <Fragment key={`${mark} ${why}`}>
        <dt data-mark={mark}>
          <b aria-hidden="true">{MARKS[mark]}</b> {WORDS[mark]}
        </dt>
        <dd>
          <Text>{why}</Text>
          <span className="muted">
            {': '}
            <Text ltr max={300}>
              {paths.slice(0, NAMED).join(', ')}
            </Text>
            {paths.length > NAMED && ` and ${paths.length - NAMED} more`}
          </span>
        </dd>
      </Fragment>
    ))}
  </dl>
);
