/** Two texts side by side with their differences marked. */
import { memo, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import { type DiffRow, diffLines } from '../detail/line-diff.ts';
import { jsonTokens } from './compare.ts';
import css from './replay.module.css';

/** Lines that are drawn before a button asks for the rest. */
const FIRST_LINES = 200;

export function SideBySide({ left, right }: { left: string; right: string }) {
  const rows = useMemo(() => diffLines(left, right), [left, right]);
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, FIRST_LINES);
  return (
    <>
      <div className={css.sides}>
        <Lines rows={shown} side="left" />
        <Lines rows={shown} side="right" />
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

const Lines = memo(function Lines({ rows, side }: { rows: readonly DiffRow[]; side: 'left' | 'right' }) {
  return (
    <div className={cx('code', css.lines)}>
      {rows.map((row, index) => {
        const line = row[side];
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        if (line === null) return <div key={index} className="ln gap" />;
        const kind = row.same ? '' : side === 'left' ? 'del' : 'add';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <div key={index} className={cx('ln', kind)}>
            <i aria-hidden="true">{line.number}</i>
            <b>
              {kind === 'del' ? '\u2212' : kind === 'add' ? '+' : ''}
              {kind !== '' && <span className="vh">{kind === 'del' ? 'removed' : 'added'}</span>}
            </b>
            <span className={css.lineText}>
              <JsonLine text={line.text} />
            </span>
          </div>
        );
      })}
    </div>
  );
});

function JsonLine({ text }: { text: string }) {
  if (text.length > 2_000) return <Text ltr>{text}</Text>;
  return jsonTokens(text).map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
    <Text key={index} ltr className={token.kind}>
      {token.text}
    </Text>
  ));
}
