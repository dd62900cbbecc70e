import { ShieldAlert, ShieldCheck, ShieldQuestionMark, Timer } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useRef } from 'react';
import type { ReceiversView, ReceiverView, SignatureVerdict } from '../../../contract/receivers.ts';
import { Glyph } from '../../components/glyph.tsx';
import gridCss from '../../components/grid-row.module.css';
import layoutCss from '../../components/layout.module.css';
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
    // biome-ignore lint/a11y/useSemanticElements: a row is one stop for keys, as in the list of messages
    <div ref={grid} role="grid" aria-label="Receivers" aria-rowcount={entries.length + 1} onKeyDown={move}>
      {/* biome-ignore lint/a11y: the rows under it are the stops for keys */}
      <div role="row" className={cx(gridCss.head, css.row)}>
        <GridCell role="columnheader">Receiver</GridCell>
        <GridCell role="columnheader" className={css.behaviour}>
          Behaviour<span className={css.alsoSignature}>, signature</span>
        </GridCell>
        <GridCell role="columnheader" className={css.signature}>
          Signature
        </GridCell>
        <GridCell role="columnheader">Last 20</GridCell>
        <GridCell role="columnheader" className={layoutCss.right}>
          Hits
        </GridCell>
      </div>
      {entries.map((receiver) => (
        <ReceiverRow
          key={receiver.id}
          receiver={receiver}
          starting={receivers[receiver.tls ? 'https' : 'http'].state === 'starting'}
          selected={receiver.id === shownId}
          onShow={() => onShow(receiver.id)}
        />
      ))}
    </div>
  );
}

/** Keys stop at rows, not at cells. */
function GridCell({ role = 'gridcell', ...rest }: ComponentProps<'div'> & { role?: 'gridcell' | 'columnheader' }) {
  return <div role={role} {...rest} />;
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
    // biome-ignore lint/a11y: the grid has the keys
    <div
      role="row"
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
    </div>
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
