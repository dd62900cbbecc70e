/** Shown in place of the list until the first message: everything to send one within a minute (design/ui, section 7). */

import { Plus, Send, Store, Users, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Glyph } from '../../components/glyph.tsx';
import inputCss from '../../components/input.module.css';
import { Menu } from '../../components/menu.tsx';
import toneCss from '../../components/tone.module.css';
import { useDemo } from '../../frame/demo/use-demo.ts';
import { ingestUrl } from '../../frame/endpoint-chip.tsx';
import { useOtherWorkspaces } from '../../frame/other-workspaces.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { applySource, useRecords } from '../../stores/records.ts';
import { showFailure } from '../../stores/toasts.ts';
import { DemoCard } from './demo-card.tsx';
import css from './first-run.module.css';
import { SnippetCard } from './snippet-card.tsx';

/** The placeholder in the snippets while there is no source. */
const NO_KEY = 'WRITE_KEY';

export function FirstRun() {
  const isDemo = useDemo() !== null;
  return (
    <div className={css.page} data-region="content">
      {isDemo ? <EmptyState icon={Store} title="Opening the shop" /> : <Ways />}
    </div>
  );
}

/** The demo, or calls of one's own. */
function Ways() {
  return (
    <div className={css.inner}>
      <h2>See it work, or send your own</h2>
      <p className={cx('secondary', css.lead)}>
        Hookbench receives Segment calls on this machine and delivers each as a signed webhook. Both ways take less than
        a minute.
      </p>
      <div className={css.ways}>
        <DemoCard />
        <OwnCalls />
      </div>
      <ul className={css.facts}>
        <li>
          <Users className="icon" aria-hidden="true" />
          <span>
            Audience sync: <a href="#/audiences">Audiences</a>
          </span>
        </li>
        <li>
          <UserX className="icon" aria-hidden="true" />
          <span>
            Delete notices: <a href="#/deletions">Deletions</a>
          </span>
        </li>
        <li className={css.last}>
          <AnotherWorkspace />
        </li>
      </ul>
    </div>
  );
}

function AnotherWorkspace() {
  const { items, dialogs, read } = useOtherWorkspaces();
  return (
    <>
      <Menu
        align="end"
        onOpen={read}
        items={items}
        trigger={
          <button type="button" className={css.link}>
            Open another workspace
          </button>
        }
      />
      {dialogs}
    </>
  );
}

function OwnCalls() {
  const port = useRecords((state) => state.status?.listener.port ?? 8765);
  const source = useRecords((state) => state.sources.find(({ enabled }) => enabled));
  const url = ingestUrl(port);
  return (
    <section className={cx(cardCss.card, css.own)}>
      <h3>Point an SDK here</h3>
      <p className="secondary">The event appears here as soon as it arrives.</p>
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
    </section>
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
        <CopyButton text={value} label={copy} />
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
  ['Was the call rejected?', 'Rejected calls are counted here and then appear in the list with the reason.'],
];

function Waiting({ canSend }: { canSend: boolean }) {
  const listening = useRecords((state) => state.status?.listener.state === 'listening');
  const requests = useRecords((state) => state.status?.requestsSeen ?? 0);
  const rejected = useRecords((state) => state.status?.rejectedSeen ?? 0);
  const [open, setOpen] = useState(false);
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
    <>
      <div className={cx('flex-row', css.wait)}>
        <Glyph name={listening ? 'delivering' : 'queued'} />
        <span className="medium" role="status">
          {listening ? 'Waiting for the first event' : 'Not listening, so nothing can arrive'}
        </span>
        <span className={cx('small nowrap', rejected > 0 ? toneCss.bad : 'muted')}>
          {plural(requests, 'request')}, {formatCount(rejected)} rejected
        </span>
        <span className="spacer" />
        <button type="button" className={css.link} aria-expanded={open} onClick={() => setOpen(!open)}>
          Nothing arriving?
        </button>
        <Button icon={Send} disabled={!canSend || !listening || busy} onClick={() => void send()}>
          Send a sample event
        </Button>
      </div>
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
