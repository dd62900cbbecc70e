import { ArrowRight } from 'lucide-react';
import type { ImportView } from '../../../../contract/audiences.ts';
import { HeadCell, RowGroup, Table, TableCell, TableRow } from '../../../components/table-parts.tsx';
import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import { SmallSelect } from '../rule/small-select.tsx';
import css from './use-columns.module.css';
import { columnsWith, USES } from './words.ts';

/** Which column has the user id, and which one is shown beside it. A list has nothing to choose. */
export function UseColumns({
  view,
  onChoose,
}: {
  view: ImportView;
  onChoose: (columns: { userId: number; label: number | null }) => void;
}) {
  const { columns, format, state } = view;
  if (format === 'list' || columns.length === 0) return null;
  return (
    <Table aria-label="Columns" className={css.columns}>
      <TableRow className={css.head}>
        <HeadCell>Column</HeadCell>
        <HeadCell>
          <span className="visually-hidden">To</span>
        </HeadCell>
        <HeadCell>Use as</HeadCell>
        <HeadCell>First row</HeadCell>
      </TableRow>
      <RowGroup className={css.rows} tabIndex={columns.length > 6 ? 0 : undefined}>
        {columns.map(({ name, sample, use }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name, and none changes its place
          <TableRow key={index} className={css.row}>
            <TableCell className={cx('mono ellipsis', use === 'unused' && 'secondary')} title={name}>
              <Text>{name}</Text>
            </TableCell>
            <TableCell className="muted">
              <ArrowRight className="icon" aria-hidden="true" />
            </TableCell>
            <TableCell className={css.use}>
              <SmallSelect
                label={`Use ${name} as`}
                value={use}
                options={use === 'userId' ? USES.slice(0, 1) : state === 'no_column' ? NO_COLUMN_USES : USES}
                onChange={(next) => onChoose(columnsWith(columns, index, next))}
              />
            </TableCell>
            <TableCell className="mono muted ellipsis" title={sample}>
              <Text>{sample}</Text>
            </TableCell>
          </TableRow>
        ))}
      </RowGroup>
      {state === 'no_column' && (
        <p className={css.problem} role="alert">
          No column looks like a user id. Choose one.
        </p>
      )}
    </Table>
  );
}

const NO_COLUMN_USES = USES.filter(({ value }) => value !== 'label');
