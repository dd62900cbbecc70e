/** Shown in place of the list until the first message: everything to send one within a minute (design/ui, section 7). */

import { Check, Plus, Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dot } from '../../components/dot.tsx';
import { Glyph } from '../../components/glyph.tsx';
import inputCss from '../../components/input.module.css';
import toneCss from '../../components/tone.module.css';
import { ingestUrl } from '../../frame/endpoint-chip.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { applySource, useRecords } from '../../stores/records.ts';
import { showFailure } from '../../stores/toasts.ts';
import css from './first-run.module.css';
import { SnippetCard } from './snippet-card.tsx';

/** The placeholder in the snippets while there is no source. */
const NO_KEY = 'WRITE_KEY';

export function FirstRun() {
  const port = useRecords((state) => state.status?.listener.port ?? 8765);
  const source = useRecords((state) => state.sources.find(({ enabled }) => enabled));
  const url = ingestUrl(port);
  return (
    <div className={css.page} data-region="content">
      <div className={css.inner}>
        <h2>Send your first event</h2>
        <p className={cx('secondary', css.lead)}>
          Point any Segment SDK at this address. The event appears here as soon as it arrives.
        </p>
        <div className={css.fields}>
          <Value label="Ingest URL" value={url} copy="Copy ingest URL" />
          {source === undefined ? (
            <NoSource />
          ) : (
            <Value
              label={
                <>
                  Write key of source <b className="medium">{source.name}</b>
                </>
              }
              value={source.writeKey}
              copy="Copy write key"
            />
          )}
        </div>
        <SnippetCard url={url} writeKey={source?.writeKey ?? NO_KEY} />
        <Waiting canSend={source !== undefined} />
        <Facts />
      </div>
    </div>
  );
}

function Value({ label, value, copy }: { label: ReactNode; value: string; copy: string }) {
  return (
    <div>
      <span className={css.label}>{label}</span>
      <div className={cx('mono', inputCss.box, css.value)}>
        <bdi dir="ltr" className="ellipsis" title={value}>
          {value}
        </bdi>
        <span className="spacer" />
        <CopyButton text={value} label={copy}>
          Copy
        </CopyButton>
      </div>
    </div>
  );
}

/** A write key needs a source. One click makes `dev`. */
function NoSource() {
  const [busy, setBusy] = useState(false);
  const exists = useRecords((state) => state.sources.length > 0);
  const make = async () => {
    setBusy(true);
    try {
      applySource(await call('sources.save', { name: 'dev', kind: 'server', enabled: true, webhooks: true }));
    } catch (error) {
      showFailure('add the source', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <span className={css.label}>Write key</span>
      <div className={cx(inputCss.box, css.value)}>
        <span className="muted">{exists ? 'Every source is off' : 'No source yet'}</span>
        <span className="spacer" />
        <Button size="sm" icon={Plus} disabled={busy} onClick={() => void make()}>
          Add source dev
        </Button>
      </div>
    </div>
  );
}

function Waiting({ canSend }: { canSend: boolean }) {
  const listening = useRecords((state) => state.status?.listener.state === 'listening');
  const requests = useRecords((state) => state.status?.requestsSeen ?? 0);
  const rejected = useRecords((state) => state.status?.rejectedSeen ?? 0);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await call('messages.sendSample');
    } catch (error) {
      showFailure('send a sample event', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={cx('flex-row', css.wait)}>
      <Glyph name={listening ? 'delivering' : 'queued'} />
      <span className="medium" role="status">
        {!listening
          ? 'Not listening, so nothing can arrive'
          : requests === 0
            ? 'Waiting for the first event'
            : `${plural(requests, 'request')} seen, ${rejected === 0 ? 'no event in them yet' : `${formatCount(rejected)} rejected`}`}
      </span>
      <span className="spacer" />
      <Button icon={Send} disabled={!canSend || !listening || busy} onClick={() => void send()}>
        Send a sample event
      </Button>
    </div>
  );
}

const CHECKS: ReadonlyArray<readonly [question: string, answer: string]> = [
  ['Is a method called?', 'Creating the client sends nothing. Call track, identify or another method.'],
  ['Is the flush size above 1?', 'SDKs gather calls and send them later. Set the size to 1, as the snippets do.'],
  [
    'Does the process end too early?',
    'Close or flush the client before the program exits, or its last calls are lost.',
  ],
  [
    'Does the port match?',
    'The address above is where Hookbench listens now. A proxy or a container may need another host name.',
  ],
  [
    'Does the SDK speak only https?',
    'Those for Ruby, PHP, Swift, Kotlin, C# and Android do. Turn on calls over https on the Sources screen.',
  ],
  ['Was the call rejected?', 'Rejected calls count below and then appear in the list with the reason.'],
];

function Facts() {
  const status = useRecords((state) => state.status);
  const [open, setOpen] = useState(false);
  if (status === undefined) return null;
  const { listener, requestsSeen, rejectedSeen } = status;
  return (
    <>
      <ul className={css.facts}>
        {listener.state === 'listening' ? (
          <li>
            <Check className={cx('icon', toneCss.ok)} aria-hidden="true" />
            <span>Listening on localhost:{listener.port}</span>
          </li>
        ) : (
          <li>
            <Glyph name="rejected" size={12} />
            <span className={toneCss.bad}>Not listening on port {listener.port}</span>
          </li>
        )}
        <li>
          <Dot on={requestsSeen > 0} />
          <span>{plural(requestsSeen, 'request')} seen since start</span>
        </li>
        <li>
          <Dot on={false} />
          <span className={rejectedSeen > 0 ? toneCss.bad : undefined}>{formatCount(rejectedSeen)} rejected</span>
        </li>
        <li className="spacer" />
        <li>
          <button type="button" className={css.link} aria-expanded={open} onClick={() => setOpen(!open)}>
            Nothing arriving?
          </button>
        </li>
      </ul>
      {open && (
        <ol className={css.checks}>
          {CHECKS.map(([question, answer]) => (
            <li key={question}>
              <p className="medium">{question}</p>
              <p className="secondary">{answer}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
