import { useState } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import type { ComputedKind, ComputedTraitInput } from '../../../../contract/people.ts';
import { Button } from '../../../components/button.tsx';
import layoutCss from '../../../components/layout.module.css';
import { SkeletonRows } from '../../../components/skeleton-rows.tsx';
import { HeadCell, Table, TableCell, TableRow } from '../../../components/table-parts.tsx';
import tableCss from '../../../components/table-rows.module.css';
import { Text } from '../../../components/text.tsx';
import { UserId } from '../../../components/user-id.tsx';
import { VirtualRows } from '../../../components/virtual-rows.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatClock, formatCount, formatDateTime, plural } from '../../../lib/format.ts';
import { formatRoute } from '../../../stores/route.ts';
import { ChangeSign } from '../change-sign.tsx';
import { Failed } from '../pending-tab.tsx';
import { ReloadStrip } from '../reload-strip.tsx';
import { pendingCount } from '../words.ts';
import css from './trait-changes.module.css';
import { hasFraction, valueWords } from './trait-words.ts';
import { type Cause, type TraitChangeRow, useChanges } from './use-changes.ts';

/** Rows shown before all are asked for. */
const FEW = 6;
const ROW_HEIGHT = 32;

/** Kinds of which the values are numbers, mostly. Others need more room. */
const NUMBERS: ReadonlySet<ComputedKind | null> = new Set<ComputedKind | null>(['count', 'sum']);

/** Whose value changed since the last sync: what they were told, what they have now, and why. */
export function TraitChanges({
  trait,
  definition,
  at,
  onAt,
}: {
  trait: AudienceRow;
  /** Null until it is read. */
  definition: ComputedTraitInput | null;
  /** The row whose call is shown, from 0. */
  at: number;
  onAt: (at: number) => void;
}) {
  const { counts, lastSync } = trait;
  const pages = useChanges(trait, definition);
  const [all, setAll] = useState(false);
  const pending = pendingCount(counts);
  const { rows } = pages;
  const fraction = hasFraction(rows.flatMap(({ sent, value }) => [sent, value]));
  const draw = (index: number) => (
    <Row
      key={rows[index]!.userId}
      row={rows[index]!}
      index={index}
      fraction={fraction}
      kind={trait.computes}
      isShown={index === at}
      onShow={() => onAt(index)}
    />
  );
  return (
    <section className={cx(css.changes, widthsOf(trait.computes))} aria-label="Changed since the last sync">
      <header className={css.head}>
        <h3>{lastSync === null ? 'The first sync sends' : 'Changed since the last sync'}</h3>
        <span className="muted">{formatCount(pending)}</span>
        <span className="spacer" />
        <span className="muted small">{unchangedText(trait)}</span>
      </header>
      {pages.state === 'failed' ? (
        <Failed onAgain={pages.reload} />
      ) : pending === 0 ? (
        <p className={cx('muted small', css.note)}>{nothingText(trait)}</p>
      ) : pages.state === 'loading' ? (
        <SkeletonRows rowHeight={ROW_HEIGHT} rows={Math.min(pending, FEW)} />
      ) : all ? (
        <VirtualRows
          label="Changed values"
          className={css.all}
          count={rows.length}
          total={pending}
          rowHeight={ROW_HEIGHT}
          more={pages.more}
          head={<Head />}
          row={draw}
        />
      ) : (
        <Table aria-label="Changed values" aria-rowcount={pending + 1}>
          <Head />
          {rows.slice(0, FEW).map((_, index) => draw(index))}
        </Table>
      )}
      {pending > FEW && (
        <p className={css.more}>
          <Button size="sm" variant="ghost" onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show all ${formatCount(pending)}`}
          </Button>
        </p>
      )}
      <ReloadStrip pages={pages} />
    </section>
  );
}

function widthsOf(kind: ComputedKind | null): string | undefined {
  if (kind === 'first_seen') return css.times;
  return NUMBERS.has(kind) ? undefined : css.texts;
}

function unchangedText({ counts, lastSync }: AudienceRow): string {
  const unchanged = counts.members - counts.toAdd - counts.toChange;
  if (lastSync === null || counts.members === 0) return '';
  return `${formatCount(unchanged)} of ${formatCount(counts.members)} ${unchanged === 1 ? 'is' : 'are'} unchanged and not sent`;
}

function nothingText({ counts, lastSync }: AudienceRow): string {
  if (counts.members > 0) return 'Everyone with a value was told it. The next sync has nothing to send.';
  return lastSync === null ? 'Nobody has a value yet.' : 'Nobody has a value any more. Nothing is sent for that.';
}

const Head = () => (
  <TableRow className={cx(tableCss.head, css.row)}>
    <HeadCell>
      <span className="visually-hidden">Sign</span>
    </HeadCell>
    <HeadCell>User</HeadCell>
    <HeadCell className={css.name}>Name</HeadCell>
    <HeadCell className={layoutCss.right}>Sent</HeadCell>
    <HeadCell className={layoutCss.right}>Now</HeadCell>
    <HeadCell>Because of</HeadCell>
    <HeadCell className={layoutCss.right}>Since</HeadCell>
  </TableRow>
);

function Row({
  row,
  index,
  fraction,
  kind,
  isShown,
  onShow,
}: {
  row: TraitChangeRow;
  index: number;
  fraction: boolean;
  kind: ComputedKind | null;
  isShown: boolean;
  onShow: () => void;
}) {
  const { userId, name, change, sent, value, cause, since } = row;
  const was = valueWords(sent, fraction, kind);
  const now = valueWords(value, fraction, kind);
  return (
    <TableRow
      className={cx(tableCss.row, css.row, isShown && css.shown)}
      aria-rowindex={index + 2}
      aria-current={isShown || undefined}
    >
      <TableCell>
        <ChangeSign change={change} />
        <span className="visually-hidden">{change === 'add' ? 'New' : 'Changed'}</span>
      </TableCell>
      <TableCell className="mono ellipsis" title={userId}>
        <button type="button" className={css.show} aria-label={`Show the call of ${userId}`} onClick={onShow}>
          <UserId>{userId}</UserId>
        </button>
      </TableCell>
      <TableCell className={cx('secondary ellipsis', css.name)} title={name ?? undefined}>
        {name !== null && <Text>{name}</Text>}
      </TableCell>
      <TableCell className={cx('muted ellipsis', layoutCss.right)} title={was}>
        <Text>{was}</Text>
      </TableCell>
      <TableCell className={cx('medium ellipsis', layoutCss.right)} title={now}>
        <Text>{now}</Text>
      </TableCell>
      <TableCell className="secondary ellipsis">
        <Because cause={cause} userId={userId} />
      </TableCell>
      <TableCell className={cx('mono muted', layoutCss.right)} title={formatDateTime(since)}>
        {formatClock(since)}
      </TableCell>
    </TableRow>
  );
}

function Because({ cause, userId }: { cause: Cause; userId: string }) {
  if (cause.by === 'unknown') return null;
  if (cause.by === 'time') return `${plural(cause.calls, 'call')} aged out`;
  const { id, name, type } = cause.message;
  const text = name === '' ? type : name;
  return (
    <a
      className={css.link}
      href={formatRoute({ screen: 'live', messageId: id, tab: 'payload', full: false })}
      title={text}
      aria-label={`${text} of ${userId}`}
    >
      <Text>{text}</Text>
    </a>
  );
}
