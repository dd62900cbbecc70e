import type { ReactNode } from 'react';
import type { IngestSettingsView, ListenerView } from '../../../contract/values.ts';
import { CommitField } from '../../components/commit-field.tsx';
import { Seg, Switch } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Setting } from '../../components/setting.tsx';
import toneCss from '../../components/tone.module.css';
import { ingestUrl } from '../../frame/endpoint-chip.tsx';
import { httpsUrl } from '../../frame/https-actions.ts';
import { cx } from '../../lib/cx.ts';
import { useRecords } from '../../stores/records.ts';
import { changePort, saveIngest } from './actions.ts';
import css from './ingest-section.module.css';
import { Card } from './parts.tsx';

/** Where calls arrive and how they are answered. */
export function IngestSection() {
  const ingest = useRecords((state) => state.ingest);
  const listener = useRecords((state) => state.status?.listener);
  if (ingest === undefined || listener === undefined) return null;
  return (
    <>
      <ListenerCard listener={listener} ingest={ingest} />
      <AnswersCard mode={ingest.mode} />
      <CallsCard ingest={ingest} />
    </>
  );
}

function ListenerCard({ listener, ingest }: { listener: ListenerView; ingest: IngestSettingsView }) {
  const listening = listener.state === 'listening';
  const url = ingestUrl(listener.port);
  return (
    <Card title="Listener" note="where SDKs send their calls">
      <CommitField
        label="Port"
        mono
        value={String(listener.port)}
        maxLength={5}
        hint={portHint(listener, ingest)}
        onCommit={changePort}
      />
      <Setting label="Address" hint="Only this machine can reach it, over IPv4 and IPv6.">
        {listening ? (
          <>
            <span className="mono">{url}</span>
            <CopyButton text={url} label="Copy the address" />
          </>
        ) : (
          <span className={toneCss.bad}>Not listening</span>
        )}
      </Setting>
      <HttpsFact />
    </Card>
  );
}

function portHint({ port }: ListenerView, ingest: IngestSettingsView): string {
  if (port === ingest.port) return 'A new port takes effect at once and is stored. Point your SDKs at it.';
  return `For this run. The setting is ${ingest.port === 0 ? 'any free port' : ingest.port}; a port entered here replaces it.`;
}

function HttpsFact() {
  const https = useRecords((state) => state.status?.https);
  if (https === undefined) return null;
  return (
    <Setting label="HTTPS">
      <span className={https.enabled ? 'mono' : 'secondary'}>{https.enabled ? httpsUrl(https.port) : 'Off'}</span>
      {https.enabled && https.state !== 'listening' && <span className={toneCss.bad}>Not listening</span>}
      <a href="#/sources">Open Sources</a>
    </Setting>
  );
}

/** What is answered, by mode (decisions, Ingest). */
const ANSWERS: ReadonlyArray<readonly [what: string, segment: string, strict: string]> = [
  ['A good call', '200', '200'],
  ['Unknown write key', '200, recorded as rejected', '401'],
  ['A call that fails validation', '200, recorded as rejected', '400, good calls are kept'],
  ['Bad JSON, over-size, or not an object', '400', '400'],
  ['Unknown encoding', '415', '415'],
  ['Storage full', '429 with Retry-After', '429 with Retry-After'],
  ['Store not writable', '503 with Retry-After', '503 with Retry-After'],
];

function AnswersCard({ mode }: { mode: IngestSettingsView['mode'] }) {
  return (
    <Card title="Answers" note="what a client is told">
      <Setting
        label="Mode"
        hint={
          mode === 'segment'
            ? 'Answers like Segment: nearly everything gets 200, and only Hookbench shows what is wrong.'
            : 'Tells the client what is wrong, with 400 or 401.'
        }
      >
        <Seg
          label="Mode"
          value={mode}
          options={[
            { value: 'segment', label: 'Segment' },
            { value: 'strict', label: 'Strict' },
          ]}
          onChange={(next) => saveIngest({ mode: next })}
        />
      </Setting>
      <table className={css.answers} aria-label="Answers by mode">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <ModeHead name="Segment" now={mode === 'segment'} />
            <ModeHead name="Strict" now={mode === 'strict'} />
          </tr>
        </thead>
        <tbody>
          {ANSWERS.map(([what, segment, strict]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td className={cx(mode === 'segment' && css.now)}>{segment}</td>
              <td className={cx(mode === 'strict' && css.now)}>{strict}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function ModeHead({ name, now }: { name: string; now: boolean }) {
  return (
    <th scope="col" className={cx(now && css.now)}>
      {name}
      {now && <span className="muted">, in use</span>}
    </th>
  );
}

function CallsCard({ ingest }: { ingest: IngestSettingsView }) {
  return (
    <Card title="Calls">
      <Toggle
        label="Any write key"
        name="Accept any write key"
        on={ingest.acceptAnyKey}
        words={['Accepted', 'Known keys only']}
        hint="Makes a source for each new key, at most 50. When off, calls with unknown keys are held under Sources."
        onChange={(acceptAnyKey) => saveIngest({ acceptAnyKey })}
      />
      <Toggle
        label="Duplicates"
        name="Store duplicates once"
        on={ingest.dedupe}
        words={['Stored once and counted', 'Each one is stored']}
        hint="The same messageId from the same source within 24 h. The client always gets 200."
        onChange={(dedupe) => saveIngest({ dedupe })}
      />
      <Toggle
        label="Timestamps"
        name="Correct every timestamp, as Segment does"
        on={ingest.correctEveryTimestamp}
        words={['All are corrected, as Segment does', 'Corrected only when the clock is wrong']}
        hint="On, each is moved by the time between the client's sentAt and its arrival, with a note. Off, only where these are more than 5 s apart: less is latency. /v1/import never corrects."
        onChange={(correctEveryTimestamp) => saveIngest({ correctEveryTimestamp })}
      />
    </Card>
  );
}

function Toggle({
  label,
  name,
  on,
  words: [whenOn, whenOff],
  hint,
  onChange,
}: {
  label: string;
  /** What the switch is called for screen readers. */
  name: string;
  on: boolean;
  words: readonly [on: string, off: string];
  hint: ReactNode;
  onChange: (on: boolean) => void;
}) {
  return (
    <Setting label={label} hint={hint}>
      <Switch checked={on} label={name} onChange={onChange} />
      <span className="secondary">{on ? whenOn : whenOff}</span>
    </Setting>
  );
}
