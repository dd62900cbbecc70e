import { ArrowRight, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AudienceRow, SyncDetail } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { formatClock, formatCount, formatIso, plural } from '../../../lib/format.ts';
import { call } from '../../../platform/connect.ts';
import { queryOf } from '../../../stores/live/filter.ts';
import { liveStream } from '../../../stores/live/store.ts';
import { HOME, navigate } from '../../../stores/route.ts';
import { showFailure, showToast } from '../../../stores/toasts.ts';
import { SameByCommand } from '../command-line.tsx';
import panelCss from '../next-sync.module.css';
import { sentOf } from '../words.ts';
import { CallPreview } from './call-preview.tsx';
import css from './sync-side.module.css';
import { eventText, type Noun, sentText } from './sync-words.ts';

/** What happened, why the sums hold, and the call that goes out next. */
export function SyncSide({ audience, sync, noun }: { audience: AudienceRow; sync: SyncDetail; noun: Noun }) {
  const { kind, name } = audience;
  return (
    <aside className={panelCss.panel} aria-label="This sync" data-region="sync" tabIndex={-1}>
      <Events sync={sync} noun={noun} />
      <AddsUp sync={sync} noun={noun} />
      <CallPreview sync={sync} />
      {sync.state !== 'done' && <Meanwhile sync={sync} isTrait={kind === 'trait'} />}
      <SameByCommand parts={[kind === 'trait' ? 'traits' : 'audiences', 'sync', name, '--wait']} />
    </aside>
  );
}

function Events({ sync, noun }: { sync: SyncDetail; noun: Noun }) {
  const { events, state, ledger, series } = sync;
  const newest = Math.max(series.at(-1)?.[0] ?? 0, events.at(-1)?.at ?? 0);
  return (
    <section className={panelCss.block} aria-label="Events">
      <h3>This sync</h3>
      <ol className={css.events}>
        {events.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events only grow at the end
          <li key={i}>
            <span className="mono muted" title={formatIso(event.at)}>
              {formatClock(event.at)}
            </span>
            <span className="secondary">{eventText(event, ledger.expected, noun)}</span>
          </li>
        ))}
        {(state === 'running' || state === 'preparing') && (
          <li>
            <span className="mono muted">{formatClock(newest)}</span>
            <span className="secondary">{state === 'running' ? 'Running' : 'Preparing'}</span>
          </li>
        )}
      </ol>
    </section>
  );
}

function AddsUp({ sync, noun }: { sync: SyncDetail; noun: Noun }) {
  const sent = sentOf(sync);
  return (
    <section className={panelCss.block} aria-label="It adds up">
      <h3>It adds up</h3>
      <ul className={panelCss.rules}>
        <Rule>{sentText(sync, noun)}</Rule>
        <Rule>{`Live traffic goes first: at most 500 calls of a sync wait or are open, ${formatCount(sync.ledger.open + sync.ledger.retrying)} now`}</Rule>
        <Rule>{`Stop keeps what is sent. Resume goes on with the next ${noun}, also after a crash`}</Rule>
      </ul>
      {sent > 0 && (
        <Button variant="ghost" size="sm" className={css.show} onClick={() => void showMessages(sync.id, sent)}>
          {`Show ${plural(sent, 'message')} in Live stream`}
          <ArrowRight className="icon" aria-hidden="true" />
        </Button>
      )}
    </section>
  );
}

const Rule = ({ children }: { children: ReactNode }) => (
  <li>
    <Check className="icon" aria-hidden="true" />
    <span>{children}</span>
  </li>
);

function Meanwhile({ sync, isTrait }: { sync: SyncDetail; isTrait: boolean }) {
  const { changedMeanwhile, startedAt } = sync;
  const what = isTrait ? 'Values' : 'Members';
  return (
    <section className={panelCss.block} aria-label="While it runs">
      <h3>While it runs</h3>
      <p className="secondary">
        {changedMeanwhile === 0
          ? `${what} can change. The next sync sends that.`
          : `${what} can change. ${formatCount(changedMeanwhile)} changed since ${formatClock(startedAt)}; the next sync sends ${changedMeanwhile === 1 ? 'it' : 'them'}.`}
      </p>
    </section>
  );
}

/** All messages of a sync have one beginning of their id in common. */
async function showMessages(sync: number, sent: number): Promise<void> {
  try {
    const { rows } = await call('audiences.syncCalls', { sync, show: 'all', after: sent - 1, limit: 1 });
    const id = rows[0]?.messageId ?? null;
    const [message] = id === null ? [] : await call('messages.byIds', { ids: [id] });
    const common = message?.messageId.match(/^.+_(?=\d+$)/)?.[0];
    if (common === undefined) return void showToast({ title: 'The messages of this sync were removed.' });
    liveStream.setQuery(queryOf({ key: 'text', values: [common] }));
    navigate(HOME);
  } catch (error) {
    showFailure('show the messages', error);
  }
}
