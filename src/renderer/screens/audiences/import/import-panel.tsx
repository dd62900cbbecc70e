import { ArrowRight } from 'lucide-react';
import type { AudienceRow, ImportView } from '../../../../contract/audiences.ts';
import { Seg } from '../../../components/controls.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import toneCss from '../../../components/tone.module.css';
import { cx } from '../../../lib/cx.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import css from './import-panel.module.css';
import { commandText, type ImportMode, outcomeOf, sentText, spacedText } from './words.ts';

const MINUS = '\u2212';

/** What the rows add up to, and what the import does to the members. */
export function ImportPanel({
  audience,
  view,
  mode,
  onMode,
}: {
  audience: AudienceRow;
  view: ImportView;
  mode: ImportMode;
  onMode: (mode: ImportMode) => void;
}) {
  const { rows, good, duplicates, bad, known, spaced, fileName } = view;
  const part = (n: number) => ({ width: `${rows === 0 ? 0 : (n / rows) * 100}%` });
  const seen = known.done ? formatCount(known.ids) : `${formatCount(known.ids)} so far`;
  return (
    <aside className={css.panel} aria-label="What the import does" data-region="import-sums">
      <section className={css.block} aria-label="Rows in sum">
        <h3>{plural(rows, 'row')}</h3>
        <div className={css.bar} aria-hidden="true">
          {good > 0 && <i className={css.good} style={part(good)} />}
          {duplicates > 0 && <i className={css.duplicates} style={part(duplicates)} />}
          {bad > 0 && <i className={css.bad} style={part(bad)} />}
        </div>
        <Line mark={css.good} text="Good" value={formatCount(good)} />
        <Line mark={css.duplicates} text="Duplicates" more="kept once" value={formatCount(duplicates)} />
        <Line mark={css.bad} text="Bad" more="left out" value={formatCount(bad)} />
      </section>
      <section className={css.block} aria-label="Good ids">
        <h3>{plural(good, 'good id')}</h3>
        <div className={css.lines}>
          <Line mark={css.known} text="Known to a source" value={seen} />
          <Line
            mark={css.unseen}
            text="Never seen"
            more="synced all the same"
            value={known.done ? formatCount(good - known.ids) : '\u2026'}
          />
        </div>
        {spaced > 0 && <p className={css.note}>{spacedText(spaced)}</p>}
      </section>
      <section className={css.block} aria-label="Members after the import">
        <div className={css.head}>
          <h3>Members</h3>
          <span className="spacer" />
          <Seg
            label="What the import does"
            value={mode}
            options={[
              { value: 'add', label: 'Add' },
              { value: 'replace', label: 'Replace' },
            ]}
            className={css.mode}
            onChange={onMode}
          />
        </div>
        <Outcome view={view} mode={mode} />
        <p className={css.note}>{sentText(audience)}</p>
      </section>
      {fileName !== null && mode === 'add' && (
        <section className={css.block} aria-label="The same by command">
          <div className={css.head}>
            <h3>The same by command</h3>
            <span className="spacer" />
            <CopyButton text={commandText(audience.name, fileName)} label="Copy the command" />
          </div>
          <p className={cx('mono', css.command)}>
            <span className="muted">$ </span>
            {commandText(audience.name, fileName)}
          </p>
        </section>
      )}
    </aside>
  );
}

function Line({ mark, text, more, value }: { mark: string | undefined; text: string; more?: string; value: string }) {
  return (
    <p className={css.line}>
      <i className={mark} aria-hidden="true" />
      <span>
        {text}
        {more !== undefined && <span className="muted">{` ${more}`}</span>}
      </span>
      <span className="medium">{value}</span>
    </p>
  );
}

function Outcome({ view, mode }: { view: ImportView; mode: ImportMode }) {
  const { after, joins, leaves } = outcomeOf(view, mode);
  return (
    <p className={css.outcome}>
      <span className={cx(css.figure, 'secondary')}>{formatCount(view.members)}</span>
      <ArrowRight className="icon icon-large" role="img" aria-label="becomes" />
      <span className={css.figure}>{formatCount(after)}</span>
      <span className="spacer" />
      {joins > 0 && <span className={toneCss.ok}>{`+${formatCount(joins)}`}</span>}
      {leaves > 0 && <span className={toneCss.bad}>{`${MINUS}${formatCount(leaves)}`}</span>}
      {joins === 0 && leaves === 0 && <span className="muted">no change</span>}
    </p>
  );
}
