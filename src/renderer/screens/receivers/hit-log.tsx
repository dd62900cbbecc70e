import type { HitView, ReceiverView } from '../../../contract/receivers.ts';
import buttonCss from '../../components/button.module.css';
import { Button } from '../../components/button.tsx';
import { Cell } from '../../components/glyph.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatIso, formatTime } from '../../lib/format.ts';
import { ATTEMPT_WORDS } from '../../lib/words/attempts.ts';
import { navigate } from '../../stores/route.ts';
import { clearLog } from './actions.ts';
import css from './hit-log.module.css';
import { Verdict } from './receiver-table.tsx';
import receiversCss from './receivers.module.css';
import { useHits } from './use-hits.ts';
import { hitKind, hitName, hitSentence, hitStatusText, NOT_CHECKED } from './words.ts';

/** Requests to a receiver, newest first. */
export function HitLog({ receiver }: { receiver: ReceiverView }) {
  const { rows, kept, more, isLoading, failed } = useHits(receiver);
  const { id, hits } = receiver;
  return (
    <section className={cx(receiversCss.block, receiversCss.grow)} aria-label="Requests">
      <div className={cx('flex-row', receiversCss.blockHead)}>
        <h3>Requests</h3>
        <span className="muted">{formatCount(hits)}</span>
        {hits > kept && kept > 0 && <span className="muted">{`${formatCount(kept)} kept`}</span>}
        <span className="spacer" />
        <Button
          variant="ghost"
          size="sm"
          className={buttonCss.flushEnd}
          disabled={hits === 0}
          onClick={() => void clearLog(receiver)}
        >
          Clear
        </Button>
      </div>
      {failed && <p className={cx('small', toneCss.bad)}>Could not read the requests.</p>}
      {isLoading ? (
        <SkeletonRows rowHeight={30} className={css.loading} />
      ) : rows.length === 0 ? (
        !(failed && hits > 0) && <p className={cx('muted', css.noHits)}>{emptyText(receiver)}</p>
      ) : (
        <ul className={css.hits}>
          {rows.map((hit) => (
            <li key={hit.id}>
              <HitRow hit={hit} onOpen={() => navigate({ screen: 'receivers', receiverId: id, hit: hit.id })} />
            </li>
          ))}
        </ul>
      )}
      {more !== null && (
        <Button variant="ghost" size="sm" onClick={more}>
          Show older requests
        </Button>
      )}
    </section>
  );
}

function emptyText({ hits, tls }: ReceiverView): string {
  if (hits > 0) return 'None of these requests is kept any more.';
  return tls ? 'Never reached.' : 'No requests yet.';
}

function HitRow({ hit, onOpen }: { hit: HitView; onOpen: () => void }) {
  // Spaces between the cells, so that its text is read as words too.
  return (
    <button type="button" className={css.hit} data-hit={hit.id} aria-label={hitSentence(hit)} onClick={onOpen}>
      <span className="mono secondary" title={formatIso(hit.at)}>
        {formatTime(hit.at)}
      </span>{' '}
      <Cell large mark={ATTEMPT_WORDS[hitKind(hit)].cell} />
      <span className="ellipsis">{hitStatusText(hit)}</span>{' '}
      <span className="ellipsis">
        <Text>{hitName(hit)}</Text>
      </span>{' '}
      <Verdict verdict={hit.verdict} none={NOT_CHECKED} />
    </button>
  );
}
