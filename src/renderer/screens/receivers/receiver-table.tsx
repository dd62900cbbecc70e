import { ShieldAlert, ShieldCheck, ShieldQuestionMark, Timer } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import type { ReceiversView, ReceiverView, SignatureVerdict } from '../../../contract/receivers.ts';
import { Glyph } from '../../components/glyph.tsx';
import gridCss from '../../components/grid-row.module.css';
import layoutCss from '../../components/layout.module.css';
import { Grid, GridCell, HeadCell, TableRow } from '../../components/table-parts.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatCountShort } from '../../lib/format.ts';
import { ATTEMPT_WORDS } from '../../lib/words/attempts.ts';
import { HitStrip } from './hit-strip.tsx';
import css from './receiver-table.module.css';
import { behaviourKind, behaviourText, VERDICT_WORDS } from './words.ts';

/** One row per receiver. The arrows move the selection; Enter goes to the detail. */
export function ReceiverTable({
  receivers,
  shownId,
  onShow,
}: {
  receivers: ReceiversView;
  shownId: string | null;
  onShow: (id: string) => void;
}) {
  const { entries } = receivers;
  const grid = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = entries.findIndex(({ id }) => id === shownId);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (shownId !== null) onShow(shownId);
      document.querySelector<HTMLElement>('[data-region="detail"]')?.focus();
      return;
    }
    const target = to === undefined ? undefined : entries[to];
    if (target === undefined) return;
    event.preventDefault();
    onShow(target.id);
    grid.current?.querySelectorAll<HTMLElement>('[role="row"][data-id]')[to!]?.focus();
  };
  return (
    <Grid ref={grid} aria-label="Receivers" aria-rowcount={entries.length + 1} onKeyDown={move}>
      <TableRow className={cx(gridCss.head, css.row)}>
        <HeadCell>Receiver</HeadCell>
        <HeadCell className={css.behaviour}>
          Behaviour<span className={css.alsoSignature}>, signature</span>
        </HeadCell>
        <HeadCell className={css.signature}>Signature</HeadCell>
        <HeadCell>Last 20</HeadCell>
        <HeadCell className={layoutCss.right}>Hits</HeadCell>
      </TableRow>
      {entries.map((receiver) => (
        <ReceiverRow
          key={receiver.id}
          receiver={receiver}
          starting={receivers[receiver.tls ? 'https' : 'http'].state === 'starting'}
          selected={receiver.id === shownId}
          onShow={() => onShow(receiver.id)}
        />
      ))}
    </Grid>
  );
}

function ReceiverRow({
  receiver,
  starting,
  selected,
  onShow,
}: {
  receiver: ReceiverView;
  starting: boolean;
  selected: boolean;
  onShow: () => void;
}) {
  const { id, name, tls, url, hits, recent } = receiver;
  return (
    <TableRow
      className={cx(gridCss.row, css.row, css.entry)}
      data-id={id}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      onClick={onShow}
    >
      <GridCell className={layoutCss.column}>
        <span className={cx('medium ellipsis', css.line)} title={name}>
          <Text>{name}</Text>
        </span>
        <span className={cx('mono secondary ellipsis', css.line)} title={url ?? `/r/${id}`}>
          {tls && url !== null ? url : `/r/${id}`}
        </span>
      </GridCell>
      <Behaviour receiver={receiver} />
      <GridCell className={css.signature}>
        {starting ? (
          <span className="muted">Starting{'\u2026'}</span>
        ) : (
          <Verdict
            verdict={receiver.verdict}
            none={hits === 0 ? (tls ? 'Never reached' : 'No requests') : 'Not checked'}
          />
        )}
      </GridCell>
      <GridCell>
        <HitStrip recent={recent} />
      </GridCell>
      <GridCell className={cx('secondary', layoutCss.right)} title={formatCount(hits)}>
        {formatCountShort(hits)}
      </GridCell>
    </TableRow>
  );
}

function Behaviour({ receiver }: { receiver: ReceiverView }) {
  const text = behaviourText(receiver);
  const waits = receiver.steps.length === 1 && receiver.steps[0]!.delayMs >= 1_000;
  return (
    <GridCell className={cx('flex-row', layoutCss.gap6, css.behaviour)}>
      {waits ? (
        <Timer className="icon icon-large secondary" aria-hidden="true" />
      ) : (
        <Glyph name={ATTEMPT_WORDS[behaviourKind(receiver)].glyph} />
      )}
      <span className="secondary ellipsis" title={text}>
        <Text>{text}</Text>
      </span>
    </GridCell>
  );
}

/** A shield and a word; `none` when nothing was checked. */
export function Verdict({ verdict, none }: { verdict: SignatureVerdict | null; none: string }) {
  if (verdict === null) return <span className="muted">{none}</span>;
  const { word, about } = VERDICT_WORDS[verdict];
  const bad = verdict === 'mismatch' || verdict === 'unsigned';
  const Icon = verdict === 'verified' ? ShieldCheck : bad ? ShieldAlert : ShieldQuestionMark;
  const tone = verdict === 'verified' ? toneCss.ok : bad ? toneCss.bad : 'muted';
  return (
    <span className={cx('flex-row', layoutCss.gap6)} title={about}>
      <Icon className={cx('icon', tone)} aria-hidden="true" />
      <span className={bad ? toneCss.bad : 'secondary'}>{word}</span>
    </span>
  );
}
