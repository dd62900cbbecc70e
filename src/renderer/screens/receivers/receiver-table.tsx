import { ShieldAlert, ShieldCheck, ShieldQuestionMark, Timer } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useRef } from 'react';
import type { ReceiversView, ReceiverView, SignatureVerdict } from '../../../contract/receivers.ts';
import { Glyph } from '../../components/glyph.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount, formatCountShort } from '../../lib/format.ts';
import { ATTEMPT_WORDS } from '../../lib/words/attempts.ts';
import { OutcomeStrip } from './outcome-strip.tsx';
import css from './receivers.module.css';
import { behaviourKind, behaviourText, VERDICT_WORDS } from './words.ts';

/** Every receiver on a row; the arrows move the selection, Enter goes into the detail. */
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
      <div role="row" className={`th ${css.row}`}>
        <GridCell role="columnheader">Receiver</GridCell>
        <GridCell role="columnheader" className={css.behaviour}>
          Behaviour<span className={css.alsoSignature}>, signature</span>
        </GridCell>
        <GridCell role="columnheader" className={css.signature}>
          Signature
        </GridCell>
        <GridCell role="columnheader">Last 20</GridCell>
        <GridCell role="columnheader" className="r">
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

/** A row is the stop for keys, its cells are not. */
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
      className={`tr ${css.row} ${css.entry}`}
      data-id={id}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      onClick={onShow}
    >
      <GridCell className="col">
        <span className={`b5 el ${css.line}`} title={name}>
          <Text>{name}</Text>
        </span>
        <span className={`mono t2 el ${css.line}`} title={url ?? `/r/${id}`}>
          {tls && url !== null ? url : `/r/${id}`}
        </span>
      </GridCell>
      <Behaviour receiver={receiver} />
      <GridCell className={css.signature}>
        {starting ? (
          <span className="t3">Starting{'\u2026'}</span>
        ) : (
          <Verdict
            verdict={receiver.verdict}
            none={hits === 0 ? (tls ? 'Never reached' : 'No requests') : 'Not checked'}
          />
        )}
      </GridCell>
      <GridCell>
        <OutcomeStrip recent={recent} />
      </GridCell>
      <GridCell className="t2 r" title={formatCount(hits)}>
        {formatCountShort(hits)}
      </GridCell>
    </div>
  );
}

function Behaviour({ receiver }: { receiver: ReceiverView }) {
  const text = behaviourText(receiver);
  const waits = receiver.steps.length === 1 && receiver.steps[0]!.delayMs >= 1_000;
  return (
    <GridCell className={`row g6 ${css.behaviour}`}>
      {waits ? (
        <Timer className="ic t2" aria-hidden="true" />
      ) : (
        <Glyph name={ATTEMPT_WORDS[behaviourKind(receiver)].glyph} />
      )}
      <span className="t2 el" title={text}>
        <Text>{text}</Text>
      </span>
    </GridCell>
  );
}

/** A shield and a word; `none` where nothing was checked. */
export function Verdict({ verdict, none }: { verdict: SignatureVerdict | null; none: string }) {
  if (verdict === null) return <span className="t3">{none}</span>;
  const { word, about } = VERDICT_WORDS[verdict];
  const bad = verdict === 'mismatch' || verdict === 'unsigned';
  const Icon = verdict === 'verified' ? ShieldCheck : bad ? ShieldAlert : ShieldQuestionMark;
  const tone = verdict === 'verified' ? 'ok' : bad ? 'bad' : 't3';
  return (
    <span className="row g6" title={about}>
      <Icon className={`ic s14 ${tone}`} aria-hidden="true" />
      <span className={bad ? 'bad' : 't2'}>{word}</span>
    </span>
  );
}
