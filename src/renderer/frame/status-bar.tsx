import { deliveryText, type NotSendingReasonName, notSendingWords, standstillsOf } from '../../contract/not-sending.ts';
import { Dot } from '../components/dot.tsx';
import { Countdown, Glyph, useStandstill } from '../components/glyph.tsx';
import toneCss from '../components/tone.module.css';
import { cx } from '../lib/cx.ts';
import { formatCount, formatSize, plural } from '../lib/format.ts';
import { useRecords } from '../stores/records.ts';
import { DemoFact } from './demo/demo-fact.tsx';
import css from './status-bar.module.css';

/** Facts about the engine in one line. */
export function StatusBar() {
  const status = useRecords((state) => state.status);
  const workspace = useRecords((state) => state.workspace);
  const held = useRecords((state) => state.destination?.paused ?? false);
  const connected = useRecords((state) => state.connection === 'open');
  if (status === undefined) return <footer className={css.status} data-region="status" />;
  const { listener, counts } = status;
  const listening = connected && listener.state === 'listening';
  return (
    <footer className={css.status} data-region="status">
      <span className="flex-row">
        {listening ? <Dot /> : <Glyph name="rejected" size={12} />}
        <span>
          <b>{connected ? (listening ? 'Listening' : 'Not listening') : 'No connection'}</b>
          {connected && ` on ${listener.port}`}
        </span>
      </span>
      <span className="nowrap">
        <b>{formatCount(status.perMinute)}</b> msg/min
      </span>
      <span className="nowrap">
        Queue <b>{formatCount(counts.queued)}</b>
      </span>
      {counts.waiting > 0 && (
        <span className="nowrap">
          Waiting <b>{formatCount(counts.waiting)}</b>
        </span>
      )}
      {status.inFlight > 0 && (
        <span className="nowrap">
          In flight <b>{formatCount(status.inFlight)}</b>
        </span>
      )}
      {counts.retrying > 0 && (
        <span className="nowrap">
          Retrying <b>{formatCount(counts.retrying)}</b>
          {status.nextDueAt !== null && <NextRound at={status.nextDueAt} />}
        </span>
      )}
      <DemoFact />
      <NotSending reasons={status.notSending} held={held} />
      <span className="spacer" />
      <FaultsWord />
      <a
        className={status.storage.full ? cx('nowrap', toneCss.bad) : 'muted nowrap'}
        href="#/settings/storage"
        title={workspace?.folder}
      >
        {plural(status.total, 'message')}
        {status.storeBytes > 0 && `, ${formatSize(status.storeBytes)}`}
      </a>
      {workspace !== null && <span>{workspace.version}</span>}
    </footer>
  );
}

/** The most pressing reason why nothing is sent. The tooltip lists all. */
function NotSending({ reasons, held }: { reasons: readonly NotSendingReasonName[]; held: boolean }) {
  const [first] = standstillsOf(reasons);
  if (first === undefined && !held) return null;
  const paused = first === undefined || first === 'by_person';
  return (
    // A workspace without a webhook is new, not broken.
    <span
      className={first === 'no_webhook' ? 'secondary nowrap' : cx('nowrap', toneCss.warn)}
      title={paused ? undefined : deliveryText(reasons)}
    >
      {paused ? 'Delivery paused' : `Not sending: ${notSendingWords[first].label}`}
    </span>
  );
}

/** Opens the screen of ingest faults. */
function FaultsWord() {
  const active = useRecords((state) => state.faults?.active ?? false);
  return (
    <a className={active ? cx('nowrap', toneCss.warn) : 'muted nowrap'} href="#/faults">
      Ingest faults {active ? 'on' : 'off'}
    </a>
  );
}

/** Empty while delivery is paused, because the bar says so beside it. */
function NextRound({ at }: { at: number }) {
  const standstill = useStandstill(at);
  if (standstill === 'delivery paused') return null;
  return (
    <>
      {standstill === null ? ', next in ' : ', '}
      <b>
        <Countdown at={at} label="at" />
      </b>
    </>
  );
}
