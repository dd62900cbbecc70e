import { useMemo } from 'react';
import codeCss from '../../components/code.module.css';
import { JsonLine } from '../../components/json-line.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { cx } from '../../lib/cx.ts';
import { prettyJson } from '../../lib/json.ts';
import { linesOf } from '../../lib/placed.ts';
import css from './body-lines.module.css';

const SIGNS = { add: '+', remove: '\u2212', change: '~' };
const LINES = { add: codeCss.added, remove: codeCss.removed, change: codeCss.changed };
/** A body, indented. The line of the property that the sync is about is marked. */
export function BodyLines({ body, property, change }: { body: string; property: string; change: keyof typeof SIGNS }) {
  const lines = useMemo(() => linesOf(prettyJson(body)), [body]);
  const key = `${JSON.stringify(property)}:`;
  return (
    <ScrollRegion className={cx(codeCss.code, css.lines)} aria-label="Body">
      {lines.map(({ at, text }, index) => {
        const isMarked = text.trimStart().startsWith(key);
        return (
          <div key={at} className={cx(codeCss.line, css.line, isMarked && LINES[change])}>
            <i aria-hidden="true">{index + 1}</i>
            <b aria-hidden="true">{isMarked && SIGNS[change]}</b>
            <span>
              <JsonLine line={text} />
            </span>
          </div>
        );
      })}
    </ScrollRegion>
  );
}
