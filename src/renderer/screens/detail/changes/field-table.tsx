/** The fields of a call in its forms, one row each. The cell where a change happens is coloured, and Why says it. */
import { ChevronRight } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type { CellView, FieldView } from '../../../../contract/call-changes.ts';
import { Button } from '../../../components/button.tsx';
import codeCss from '../../../components/code.module.css';
import { JsonLine } from '../../../components/json-line.tsx';
import { HeadCell, RowHead, Table, TableCell, TableRow } from '../../../components/table-parts.tsx';
import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { headOf } from '../../../lib/json.ts';
import { CHANGE_WORDS, whyText } from '../../../lib/words/changes.ts';
import { type Fold, type Leaf, leavesOf, OTHERS, rowsOf } from './change-rows.ts';
import css from './changes.module.css';

export interface Column {
  readonly name: string;
  readonly size: string;
}

/** Rows that are drawn before a button offers more. */
const STEP = 500;
/** Longer values are cut until they are opened, in characters. */
const LONGEST = 60;

export function FieldTable({
  fields,
  columns,
  all,
}: {
  fields: readonly FieldView[];
  columns: readonly Column[];
  all: boolean;
}) {
  const leaves = useMemo(() => leavesOf(fields), [fields]);
  const { changed, folds } = useMemo(() => rowsOf(fields), [fields]);
  const style = { '--forms': columns.length } as React.CSSProperties;
  return (
    <Table className={css.table} style={style} aria-label="Fields of the call">
      <TableRow className={cx(css.row, css.head)}>
        <HeadCell>Field</HeadCell>
        {columns.map(({ name, size }) => (
          <HeadCell key={name}>
            {name} <span className={css.size}>{size}</span>
          </HeadCell>
        ))}
        <HeadCell>Why</HeadCell>
      </TableRow>
      <LeafRows leaves={all ? leaves : changed} columns={columns} />
      {!all && folds.map((fold) => <FoldRows key={fold.name} fold={fold} columns={columns} />)}
    </Table>
  );
}

function LeafRows({ leaves, columns }: { leaves: readonly Leaf[]; columns: readonly Column[] }) {
  const [shown, setShown] = useState(STEP);
  const rest = leaves.length - shown;
  return (
    <>
      {leaves.slice(0, shown).map((leaf) => (
        <LeafRow key={leaf.path} leaf={leaf} columns={columns} />
      ))}
      {rest > 0 && (
        <TableRow>
          <TableCell className={css.more}>
            <Button size="sm" variant="ghost" onClick={() => setShown(shown + STEP)}>
              {`Show ${formatCount(Math.min(rest, STEP))} more of ${plural(leaves.length, 'field')}`}
            </Button>
          </TableCell>
        </TableRow>
      )}
    </>
  );
}

/** Unchanged fields behind one row that opens. */
function FoldRows({ fold: { name, leaves }, columns }: { fold: Fold; columns: readonly Column[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <TableRow className={cx(css.row, css.fold)}>
        <TableCell>
          <button type="button" className={css.opener} aria-expanded={open} onClick={() => setOpen(!open)}>
            <ChevronRight className={cx('icon', css.chevron, open && css.open)} aria-hidden="true" />
            <Text ltr max={200} className="mono">
              {name}
            </Text>
          </button>
        </TableCell>
        {columns.map((column, form) => (
          <TableCell key={column.name} data-form={column.name}>
            {form === 0 ? plural(leaves.length, 'field') : 'the same'}
          </TableCell>
        ))}
        <TableCell className={css.why}>
          {name === OTHERS ? (
            <Text ltr max={200}>
              {leaves.map(({ path }) => path).join(', ')}
            </Text>
          ) : (
            'unchanged'
          )}
        </TableCell>
      </TableRow>
      {open && <LeafRows leaves={leaves} columns={columns} />}
    </>
  );
}

const LeafRow = memo(function LeafRow({ leaf, columns }: { leaf: Leaf; columns: readonly Column[] }) {
  const { path, top, cells, text, inBatch } = leaf;
  return (
    <TableRow className={css.row}>
      <RowHead className={css.field}>
        <Text ltr max={200}>
          {path}
        </Text>
      </RowHead>
      {columns.map(({ name }, form) => (
        <TableCell
          key={name}
          data-form={name}
          data-change={cells?.[form]?.change ?? undefined}
          data-absent={cells !== null && cells[form]?.text === null ? '' : undefined}
          className={css.cell}
        >
          {cells === null ? <Value text={text} /> : <Form cell={cells[form]!} inBatch={inBatch && form === 0} />}
        </TableCell>
      ))}
      <TableCell className={css.why}>
        {cells === null ? <span className="muted">unchanged</span> : <Text>{whyText(cells, top)}</Text>}
      </TableCell>
    </TableRow>
  );
});

function Form({ cell: { text, change }, inBatch }: { cell: CellView; inBatch: boolean }) {
  const words = change === null ? null : CHANGE_WORDS[change];
  return (
    <>
      {words !== null && (
        <b className={css.mark} aria-hidden={change === 'left_out'}>
          {words.mark}
          {change !== 'left_out' && <span className="visually-hidden">{` ${words.word}: `}</span>}
        </b>
      )}
      {text !== null && <Value text={text} />}
      {text === null && change === 'left_out' && <span className="secondary">left out</span>}
      {text === null && change === null && (
        <span className={inBatch ? 'secondary' : 'visually-hidden'}>
          {inBatch ? 'in the batch, not the call' : 'not there'}
        </span>
      )}
    </>
  );
}

function Value({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  if (text.length <= LONGEST)
    return (
      <span className={cx(codeCss.code, css.value)}>
        <JsonLine line={text} />
      </span>
    );
  return (
    <button
      type="button"
      className={cx(codeCss.code, css.value, css.long)}
      aria-expanded={open}
      title={open ? 'Show less' : 'Show all of it'}
      onClick={() => setOpen(!open)}
    >
      {open ? <Text ltr>{text}</Text> : <Text ltr>{`${headOf(text, LONGEST)}\u2026`}</Text>}
    </button>
  );
}
