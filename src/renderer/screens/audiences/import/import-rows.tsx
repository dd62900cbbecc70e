import { useState } from 'react';
import type { ImportResult, ImportRow, ImportView } from '../../../../contract/audiences.ts';
import { Seg } from '../../../components/controls.tsx';
import { Glyph } from '../../../components/glyph.tsx';
import type { GlyphName } from '../../../components/glyphs.tsx';
import layoutCss from '../../../components/layout.module.css';
import { HeadCell, TableCell, TableRow } from '../../../components/table-parts.tsx';
import tableCss from '../../../components/table-rows.module.css';
import { Text } from '../../../components/text.tsx';
import toneCss from '../../../components/tone.module.css';
import { UserId } from '../../../components/user-id.tsx';
import { VirtualRows } from '../../../components/virtual-rows.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatCount, upperFirst } from '../../../lib/format.ts';
import { SmallSelect } from '../rule/small-select.tsx';
import css from './import-rows.module.css';
import { type RowOrder, useImportRows } from './use-import-rows.ts';
import { resultText } from './words.ts';

const ROW_HEIGHT = 30;
/** Bad rows that are listed; the saved file has them all. */
const MOST_BAD = 1_000;

const GLYPHS: Record<ImportResult, GlyphName> = { good: 'delivered', duplicate: 'not_selected', bad: 'rejected' };

const ORDERS: ReadonlyArray<{ value: RowOrder; label: string }> = [
  { value: 'problems', label: 'Problems first' },
  { value: 'file', label: 'As in the file' },
];

/** Every row of the file and what it comes to. */
export function ImportRowsTable({ view }: { view: ImportView }) {
  const [show, setShow] = useState<'all' | ImportResult>('all');
  const [order, setOrder] = useState<RowOrder>('problems');
  const { rows, good, duplicates, bad, columns, known } = view;
  const total = { all: rows, good, duplicate: duplicates, bad }[show];
  const listed = show === 'bad' ? Math.min(total, MOST_BAD) : total;
  const version = `${rows} ${known.done} ${columns.map(({ use }) => use).join()}`;
  const list = useImportRows(view.import, { show, order, version });
  const label = columns.find(({ use }) => use === 'label')?.name ?? null;
  return (
    <>
      <div className={css.tools}>
        <Seg
          label="Rows"
          value={show}
          options={[
            { value: 'all', label: 'All', extra: formatCount(rows) },
            { value: 'good', label: 'Good', extra: formatCount(good) },
            { value: 'duplicate', label: 'Duplicates', extra: formatCount(duplicates) },
            { value: 'bad', label: 'Bad', extra: formatCount(bad) },
          ]}
          onChange={setShow}
        />
        <span className="spacer" />
        <SmallSelect label="Order" value={order} options={ORDERS} onChange={setOrder} />
      </div>
      <VirtualRows
        label="Rows of the file"
        className={css.table}
        count={listed}
        total={total}
        rowHeight={ROW_HEIGHT}
        more={null}
        onRange={list.need}
        head={<Head label={label} />}
        row={(index) => <Row key={index} row={list.at(index)} index={index} hasLabel={label !== null} />}
        after={
          total > listed && <p className={css.more}>{`and ${formatCount(total - listed)} more in the saved file`}</p>
        }
      />
    </>
  );
}

const Head = ({ label }: { label: string | null }) => (
  <TableRow className={cx(tableCss.head, css.row, label === null && css.noLabel)}>
    <HeadCell className={layoutCss.right}>Line</HeadCell>
    <HeadCell>User id</HeadCell>
    {label !== null && (
      <HeadCell className="ellipsis" title={label}>
        {upperFirst(label)}
      </HeadCell>
    )}
    <HeadCell>Result</HeadCell>
  </TableRow>
);

const Nothing = () => <span className="muted">nothing</span>;

function Row({ row, index, hasLabel }: { row: ImportRow | undefined; index: number; hasLabel: boolean }) {
  const shape = cx(tableCss.row, css.row, !hasLabel && css.noLabel);
  if (row === undefined) {
    return (
      <TableRow className={shape} aria-rowindex={index + 2}>
        <TableCell />
        <TableCell className="muted">…</TableCell>
        {hasLabel && <TableCell />}
        <TableCell />
      </TableRow>
    );
  }
  const { line, userId, label, result } = row;
  const text = resultText(row);
  return (
    <TableRow className={shape} aria-rowindex={index + 2}>
      <TableCell className={cx('mono muted', layoutCss.right)}>{formatCount(line)}</TableCell>
      <TableCell className="mono ellipsis" title={userId ?? undefined}>
        {userId === null ? <Nothing /> : <UserId>{userId}</UserId>}
      </TableCell>
      {hasLabel && (
        <TableCell className="secondary ellipsis" title={label ?? undefined}>
          {label === null ? <Nothing /> : <Text ltr>{label}</Text>}
        </TableCell>
      )}
      <TableCell className={cx('flex-row', layoutCss.gap6)}>
        <Glyph name={GLYPHS[result]} label={result} />
        <span className={cx('ellipsis', result === 'bad' ? toneCss.bad : 'secondary')} title={text}>
          {text}
        </span>
      </TableCell>
    </TableRow>
  );
}
