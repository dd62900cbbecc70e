/** Two texts side by side with their differences marked. */

import { Fragment, memo, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import codeCss from '../../components/code.module.css';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatSize, plural } from '../../lib/format.ts';
import { type DiffRow, diffLines } from '../../message/line-diff.ts';
import { shownTokens } from './compare.ts';
import css from './diff-lines.module.css';
import replayCss from './replay.module.css';

/** How many lines are drawn before a button offers the rest. */
const FIRST_LINES = 200;

export interface SideBySideProps {
  readonly left: string;
  readonly right: string;
  /** Opens one text in full, in a view of its own. */
  readonly onWhole: (side: Side) => void;
}

type Side = 'left' | 'right';

export function SideBySide({ left, right, onWhole }: SideBySideProps) {
  const rows = useMemo(() => diffLines(left, right), [left, right]);
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, FIRST_LINES);
  return (
    <>
      <div className={replayCss.sides}>
        <Lines rows={shown} side="left" onWhole={onWhole} />
        <Lines rows={shown} side="right" onWhole={onWhole} />
      </div>
      {rows.length > shown.length && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => setAll(true)}
        >{`Show ${plural(rows.length - shown.length, 'more line')}`}</Button>
      )}
    </>
  );
}

const SIGNS = { same: '', removed: '\u2212', added: '+' };
const TOKEN_CLASSES = { '': undefined, k: codeCss.key, s: codeCss.string, n: codeCss.number, p: codeCss.punctuation };

interface LinesProps extends Pick<SideBySideProps, 'onWhole'> {
  readonly rows: readonly DiffRow[];
  readonly side: Side;
}

const Lines = memo(function Lines({ rows, side, onWhole }: LinesProps) {
  return (
    <div className={cx(codeCss.code, css.lines)}>
      {rows.map((row, index) => {
        const line = row[side];
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        if (line === null) return <div key={index} className={cx(codeCss.line, codeCss.gap)} />;
        const kind = row.same ? 'same' : side === 'left' ? 'removed' : 'added';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <div key={index} className={cx(codeCss.line, kind !== 'same' && codeCss[kind])}>
            <i aria-hidden="true">{line.number}</i>
            <b>
              {SIGNS[kind]}
              {kind !== 'same' && <span className="visually-hidden">{kind}</span>}
            </b>
            <span className={css.lineText}>
              <JsonLine text={line.text} onWhole={() => onWhole(side)} />
            </span>
          </div>
        );
      })}
    </div>
  );
});

function JsonLine({ text, onWhole }: { text: string; onWhole: () => void }) {
  return shownTokens(text).map((token) => (
    <Fragment key={token.at}>
      <Text ltr className={TOKEN_CLASSES[token.kind]}>
        {token.text}
      </Text>
      {token.hiddenBytes > 0 && (
        <button type="button" className={css.more} title="Show all of this response" onClick={onWhole}>
          {`\u2026 ${formatSize(token.hiddenBytes)} more`}
        </button>
      )}
    </Fragment>
  ));
}
