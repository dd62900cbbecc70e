import { Download, EyeOff, RotateCcw, Terminal } from 'lucide-react';
import { useRef, useState } from 'react';
import { EXCHANGE_LIMITS } from '../../../contract/exchange-limits.ts';
import { REPLAY_LIMITS } from '../../../contract/replay-limits.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/controls.tsx';
import { Kbd } from '../../components/tag.tsx';
import { letterAllowed } from '../../frame/keys.ts';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { BulkReplayDialog, replayLabel } from '../../message/bulk-replay-dialog.tsx';
import { ExportDialog } from '../../message/export/export-dialog.tsx';
import type { SelectionView } from '../../stores/live/selection.ts';
import type { LiveSnapshot } from '../../stores/live/snapshot.ts';
import { liveStream, useSelection } from '../../stores/live/store.ts';
import css from './bulk-bar.module.css';
import { useBulkCurl } from './bulk-curl.ts';
import { hideMessages } from './hide-messages.ts';
import { useOutside, useSelectionFacts } from './selection-facts.ts';

const { selection } = liveStream;

/** What can be done with the selected messages, under the list (design/ui, section 16). */
export function BulkBar({ live }: { live: LiveSnapshot }) {
  const { count } = useSelection();
  return (
    <>
      <p className="visually-hidden" role="status">
        {count > 0 && `${formatCount(count)} selected`}
      </p>
      {count > 0 && <Bar live={live} />}
    </>
  );
}

function Bar({ live }: { live: LiveSnapshot }) {
  const { ids, count, reading } = useSelection();
  const bar = useRef<HTMLElement>(null);
  const curl = useBulkCurl();
  const clear = () => {
    const row = bar.current?.parentElement?.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
    selection.clear();
    row?.focus({ preventScroll: true });
  };
  // While the filter still reads, nobody knows how many messages the list has.
  const all = live.matching !== null && count >= live.count && !reading;
  return (
    <section ref={bar} className={css.bar} aria-label="Selected messages" data-region="selection">
      <Checkbox
        label={all ? 'Clear the selection' : 'Select all messages of the list'}
        checked={all}
        mixed={!all}
        onChange={() => (all ? clear() : selection.selectAll())}
      />
      <Counted live={live} />
      <span className="spacer" />
      <BulkReplay ids={ids} count={count} reading={reading} />
      <BulkExport ids={ids} count={count} reading={reading} />
      {curl.done === null ? (
        <Button icon={Terminal} aria-label="Copy as curl" disabled={reading} onClick={() => curl.copy(ids())}>
          <span className={css.words}>Copy as curl</span>
        </Button>
      ) : (
        <>
          <span className="small secondary nowrap">
            Reading {formatCount(curl.done)} of {formatCount(curl.of)}
          </span>
          <Button onClick={curl.stop}>Stop</Button>
        </>
      )}
      <Button icon={EyeOff} aria-label="Hide from list" disabled={reading} onClick={() => hideMessages(ids())}>
        <span className={css.words}>Hide from list</span>
      </Button>
      <Button variant="ghost" onClick={clear}>
        Clear selection <Kbd>Esc</Kbd>
      </Button>
    </section>
  );
}

/** `Replay 3…`, also by R. The engine takes a bounded number of ids at once. */
function BulkReplay({ ids, count, reading }: Pick<SelectionView, 'ids' | 'count' | 'reading'>) {
  const [asked, setAsked] = useState<readonly number[] | null>(null);
  const tooMany = count > REPLAY_LIMITS.ids;
  const disabled = reading || tooMany;
  useWindowKeys((event) => {
    if (disabled || event.key !== 'r' || !letterAllowed(event)) return;
    event.preventDefault();
    setAsked(ids());
  });
  return (
    <>
      <Button
        icon={RotateCcw}
        disabled={disabled}
        title={tooMany ? `At most ${formatCount(REPLAY_LIMITS.ids)} messages at once` : undefined}
        onClick={() => setAsked(ids())}
      >
        {replayLabel(count)} <Kbd>R</Kbd>
      </Button>
      {asked !== null && <BulkReplayDialog select={{ ids: asked }} onClose={() => setAsked(null)} />}
    </>
  );
}

function BulkExport({ ids, count, reading }: Pick<SelectionView, 'ids' | 'count' | 'reading'>) {
  const [asked, setAsked] = useState<number[] | null>(null);
  const tooMany = count > EXCHANGE_LIMITS.exportIds;
  return (
    <>
      <Button
        icon={Download}
        aria-label="Export"
        disabled={reading || tooMany}
        title={tooMany ? `At most ${formatCount(EXCHANGE_LIMITS.exportIds)} messages at once` : undefined}
        onClick={() => setAsked(ids())}
      >
        <span className={css.words}>Export</span>
      </Button>
      {asked !== null && (
        <ExportDialog
          of={{ ids: asked }}
          what={plural(asked.length, 'selected message')}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** `3 selected`, what they are, and how many of them the list does not show. */
function Counted({ live }: { live: LiveSnapshot }) {
  const picked = useSelection();
  const { filter, cleared } = useOutside(picked, live);
  const facts = useSelectionFacts(picked, live);
  const matching = live.count;
  return (
    <>
      <span className={cx('nowrap', css.count)}>
        <b className="medium">{formatCount(picked.count)} selected</b>
        {picked.reading && ' so far'}
        {filter > 0 && `, ${formatCount(filter)} not in this filter`}
        {cleared > 0 && `, ${formatCount(cleared)} cleared from the list`}
      </span>
      {facts !== null && <span className={cx('muted ellipsis', css.facts)}>{facts}</span>}
      {picked.count - filter - cleared < matching && !picked.reading && (
        <Button variant="ghost" size="sm" onClick={() => selection.selectAll()}>
          Select all {formatCount(matching)}
        </Button>
      )}
    </>
  );
}
