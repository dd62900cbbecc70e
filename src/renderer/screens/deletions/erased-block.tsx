import { Check } from 'lucide-react';
import type { DeletionDetail, ErasedView } from '../../../contract/deletions.ts';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatClock, formatCount, formatDateTime, formatPercent, plural } from '../../lib/format.ts';
import { formatRoute } from '../../stores/route.ts';
import blockCss from './blocks.module.css';
import css from './erased-block.module.css';
import { searchText } from './words.ts';

/** Messages with a link of their own. */
const LINKS = 5;

/** What is gone, and what a look through the store afterwards has shown. */
export function ErasedBlock({ detail }: { detail: DeletionDetail }) {
  const { erased, search, phase } = detail;
  if (erased === null || search === null) {
    return (
      <section className={blockCss.block} aria-label="Erased">
        <div className={cx('flex-row', blockCss.heading)}>
          <h3>Nothing was erased</h3>
        </div>
        <p className="muted small">The request only sends notices. Stored messages of these users are kept.</p>
      </section>
    );
  }
  const isDone = erased.finishedAt !== null;
  const found = searchText(search, detail);
  return (
    <section className={blockCss.block} aria-label="Erased">
      <div className={cx('flex-row', blockCss.heading)}>
        {isDone && <Check className={cx('icon', toneCss.ok)} aria-hidden="true" />}
        <h3>{isDone ? 'Erased' : phase === 'notices' ? 'Erases next' : 'Erasing'}</h3>
        <span className="spacer" />
        <span className="mono muted" title={isDone ? formatDateTime(erased.finishedAt!) : undefined}>
          {isDone ? formatClock(erased.finishedAt!) : formatPercent(erased.progress.done, erased.progress.of)}
        </span>
      </div>
      {!isDone && <Progress erased={erased} />}
      <dl className={css.counts}>
        <Count name="Messages" n={erased.messages} />
        <Count name="Attempts" n={erased.attempts} />
        <Count name="Replays" n={erased.replays} />
        <Count name="Held calls" n={erased.heldCalls} />
        <Count name="Receiver log entries" n={erased.receiverEntries} />
        {erased.memberships > 0 && <Count name="Places in audiences and traits" n={erased.memberships} />}
        {erased.cutCalls > 0 && <Count name="Calls cut out of requests" n={erased.cutCalls} />}
      </dl>
      {found !== null && <p className={cx('muted small', blockCss.note)}>{found}</p>}
      <Mentions messages={search.messages} />
      {search.files === 'next_start' && (
        <p className={cx('muted small', blockCss.note)}>
          Free parts of the files may still hold erased bytes. The next start of Hookbench clears them.
        </p>
      )}
    </section>
  );
}

const Count = ({ name, n }: { name: string; n: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{formatCount(n)}</dd>
  </div>
);

const Progress = ({ erased: { progress } }: { erased: ErasedView }) => (
  <p className={cx('muted small', css.progress)}>
    {`Looked at ${formatCount(progress.done)} of ${plural(progress.of, 'message')} so far.`}
  </p>
);

function Mentions({ messages }: { messages: readonly number[] }) {
  if (messages.length === 0) return null;
  return (
    <p className={cx('small', blockCss.note)}>
      {messages.slice(0, LINKS).map((id, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <a href={formatRoute({ screen: 'live', messageId: id, tab: 'attempts', full: false })}>{`message ${id}`}</a>
        </span>
      ))}
      {messages.length > LINKS && <span className="muted">{` and ${formatCount(messages.length - LINKS)} more`}</span>}
    </p>
  );
}
