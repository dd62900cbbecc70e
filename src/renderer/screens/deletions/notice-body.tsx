import { useMemo } from 'react';
import cardCss from '../../components/card.module.css';
import codeCss from '../../components/code.module.css';
import { JsonLine } from '../../components/json-line.tsx';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { cx } from '../../lib/cx.ts';
import { prettyJson } from '../../lib/json.ts';
import { linesOf } from '../../lib/placed.ts';
import css from './notice-body.module.css';

/** The bytes of a notice as indented lines. */
export function NoticeBody({ body }: { body: string }) {
  const lines = useMemo(() => linesOf(prettyJson(body)), [body]);
  return (
    <ScrollRegion className={cx(cardCss.card, codeCss.code, css.body)} aria-label="Body">
      {lines.map(({ at, text }, index) => (
        <div key={at} className={cx(codeCss.line, css.line)}>
          <i aria-hidden="true">{index + 1}</i>
          <span>
            <JsonLine line={text} />
          </span>
        </div>
      ))}
    </ScrollRegion>
  );
}
