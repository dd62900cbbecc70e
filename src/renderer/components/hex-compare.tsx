/** Two panes of bytes side by side, with the first difference marked. */
import { cx } from '../lib/cx.ts';
import { formatSize } from '../lib/format.ts';
import { type HexRow, hexCharacter, hexPanes } from '../lib/hex-panes.ts';
import cardCss from './card.module.css';
import css from './hex-compare.module.css';

export interface HexSide {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function HexCompare({ sent, other, at }: { sent: HexSide; other: HexSide; at: number }) {
  const [left, right] = hexPanes(sent.bytes, other.bytes, at);
  return (
    <div className={cx(cardCss.card, css.panes)}>
      <Pane side={sent} rows={left} />
      <Pane side={other} rows={right} />
    </div>
  );
}

function Pane({ side, rows }: { side: HexSide; rows: readonly HexRow[] }) {
  return (
    <section aria-label={`Bytes: ${side.name}`}>
      <header>
        <span>{side.name}</span>
        <span className="muted small">{formatSize(side.bytes.length)}</span>
      </header>
      {rows.map((row) => (
        <div key={row.at} className={cx('mono', css.row)}>
          <span className="muted">{String(row.at).padStart(4, '0')}</span>
          <span className={css.hex}>
            {row.bytes.map(({ value, differs }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is the byte's name
              <Mark key={i} on={differs}>
                {value.toString(16).padStart(2, '0')}
              </Mark>
            ))}
          </span>
          <span className={css.characters} aria-hidden="true">
            {row.bytes.map(({ value, differs }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is the byte's name
              <Mark key={i} on={differs}>
                {hexCharacter(value)}
              </Mark>
            ))}
          </span>
        </div>
      ))}
      {rows.length === 0 && <p className="muted small">No bytes here.</p>}
    </section>
  );
}

const Mark = ({ on, children }: { on: boolean; children: string }) =>
  on ? <mark>{children}</mark> : <span>{children}</span>;
