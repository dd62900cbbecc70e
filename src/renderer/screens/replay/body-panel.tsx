/** The copy of a message that a replay sends: its body and headers, to edit, and how it is sent. */
import { Check, RotateCcw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { DEFAULT_RETRY } from '../../../contract/names.ts';
import type { MessageDetail, MessageRow } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox, Tabs } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { JsonEditor } from '../../components/json-editor.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { TypeIcon } from '../../components/type-icon.tsx';
import { cx } from '../../lib/cx.ts';
import { formatExactSize, formatIso, formatSize, formatSpan, formatTime, plural } from '../../lib/format.ts';
import { userText } from '../../lib/words/calls.ts';
import { rejectText } from '../../lib/words/rejections.ts';
import { curlOf, unsignedText } from '../../message/copies.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import css from './body-panel.module.css';
import { HeadersPanel, type HeadersPanelProps } from './headers-panel.tsx';
import type { Draft, ReplayOptions } from './use-draft.ts';

export type PanelTab = 'body' | 'headers';

export interface BodyPanelProps extends Pick<HeadersPanelProps, 'own' | 'onOwn'> {
  readonly row: MessageRow;
  readonly detail: MessageDetail | null;
  readonly draft: Draft;
  readonly options: ReplayOptions;
  readonly onOptions: (options: ReplayOptions) => void;
  readonly tab: PanelTab;
  readonly onTab: (tab: PanelTab) => void;
}

export function BodyPanel(props: BodyPanelProps) {
  const { row, detail, draft, options, onOptions, tab, onTab, own, onOwn } = props;
  return (
    <section className={css.left} aria-label="Message" data-region="message">
      <Source row={row} />
      <div className={css.copy}>
        <Extras draft={draft} detail={detail} />
        <Tabs<PanelTab>
          className={css.tabs}
          panelClassName={css.body}
          value={tab}
          onChange={onTab}
          items={[
            { value: 'body', label: 'Body' },
            { value: 'headers', label: 'Headers', extra: draft.headers.length + own.length },
          ]}
        >
          {tab === 'body' ? <Body draft={draft} /> : <HeadersPanel ours={draft.headers} own={own} onOwn={onOwn} />}
        </Tabs>
      </div>
      <Foot draft={draft} options={options} />
      <Options draft={draft} row={row} options={options} onOptions={onOptions} />
    </section>
  );
}

function Source({ row }: { row: MessageRow }) {
  return (
    <div className={css.source}>
      <span className="secondary">
        <TypeIcon type={row.type} small={false} />
      </span>
      <h2 className={cx('ellipsis', css.strong)} title={row.name}>
        <Text>{row.name === '' ? row.type : row.name}</Text>
      </h2>
      <span className="mono secondary ellipsis">
        <Text ltr>{userText(row)}</Text>
      </span>
      <time className="muted" dateTime={formatIso(row.receivedAt)} title={formatIso(row.receivedAt)}>
        {formatTime(row.receivedAt)}
      </time>
      <span className="spacer" />
      <Button size="sm" onClick={() => navigate({ screen: 'replay', messageId: null })}>
        Change message
      </Button>
    </div>
  );
}

function Extras({ draft, detail }: { draft: Draft; detail: MessageDetail | null }) {
  const webhooks = useRecords((state) => state.webhooks);
  const curl = detail === null || draft.isEdited ? null : curlOf(detail, 'delivered', webhooks, 0);
  return (
    <div className={css.extras}>
      {draft.isEdited && (
        <>
          <span className={css.editedMark} aria-hidden="true">
            ~
          </span>
          <span role="status">{plural(draft.edited.count, 'line')} edited</span>
          <Button variant="ghost" size="sm" icon={RotateCcw} onClick={draft.reset}>
            Reset
          </Button>
        </>
      )}
      {draft.stored?.shown.kind === 'text' && (
        <CopyButton label="Copy body" text={draft.body ?? draft.stored.shown.text} />
      )}
      {curl !== null && (
        <CopyButton label="Copy as curl" text={curl}>
          Copy as curl
        </CopyButton>
      )}
    </div>
  );
}

const PROBLEM = 'replay-body-problem';

function Body({ draft }: { draft: Draft }) {
  const { stored, text, edited, problem } = draft;
  const marks = useMemo(() => {
    if (problem?.line == null) return edited.marks;
    const others = edited.marks.filter(({ line }) => line !== problem.line);
    return [...others, { line: problem.line, kind: 'error' as const, note: problem.text }];
  }, [edited, problem]);
  if (draft.failure !== null) return <p className={css.told}>{draft.failure}</p>;
  if (stored === null) return null;
  if (stored.shown.kind === 'text')
    return <JsonEditor label="Body" text={text} marks={marks} onChange={draft.edit} describedBy={PROBLEM} />;
  if (stored.shown.kind === 'empty') return <p className={css.told}>The body is empty.</p>;
  return (
    <div className={css.told}>
      <p>The body is not text, so it cannot be edited. It is sent byte for byte.</p>
      <JsonView text={stored.shown.hex} label="Body in hex" language="text" />
    </div>
  );
}

/** The limit of one call (Segment HTTP API, Limits). A larger body may be sent all the same. */
const CALL_LIMIT = 32 * 1024;

function Foot({ draft, options }: { draft: Draft; options: ReplayOptions }) {
  const { bytes, stored } = draft;
  const isLarge = bytes > CALL_LIMIT;
  return (
    <footer className={css.bodyFoot}>
      <span id={PROBLEM}>
        <Validity draft={draft} />
      </span>
      {stored !== null && (
        <span className={isLarge ? toneCss.warn : 'muted'} title={formatExactSize(bytes)}>
          {isLarge
            ? `${formatSize(bytes)} is over the 32 KB of a call. It is sent all the same.`
            : `${formatSize(bytes)} of 32 KB`}
        </span>
      )}
      <span className="spacer" />
      <Signature draft={draft} options={options} />
    </footer>
  );
}

function Validity({ draft: { problem, stored, isEdited } }: { draft: Draft }): ReactNode {
  if (stored === null) return null;
  const text = problem?.text ?? (isEdited ? null : (stored.preview.problem?.text ?? null));
  if (text === null)
    return (
      <span className={cx(css.valid, toneCss.ok)}>
        <Check className="icon" aria-hidden="true" /> Valid JSON
      </span>
    );
  return (
    <span className={cx(css.valid, problem === null ? toneCss.warn : toneCss.bad)}>
      <TriangleAlert className="icon" aria-hidden="true" /> {text}
    </span>
  );
}

const SIGNATURES = new Set(['x-signature', 'webhook-signature']);

function Signature({ draft, options }: { draft: Draft; options: ReplayOptions }) {
  const secret = useRecords((state) => state.destination?.secret ?? null);
  if (!options.sign) return <span className="muted">Sent without a signature.</span>;
  if (secret !== null && secret.state !== 'set') return <span className="muted">{unsignedText(secret)}</span>;
  const header = draft.headers.find(({ name }) => SIGNATURES.has(name.toLowerCase()));
  const value = header !== undefined && 'value' in header ? header.value : null;
  if (value == null || draft.problem !== null) return null;
  if (options.newTimestamp || header!.name !== 'X-Signature')
    return <span className="muted">{header!.name} is made when it is sent.</span>;
  return (
    <span className="nowrap" title={value}>
      <span className="muted">X-Signature will be </span>
      <span className="mono secondary">{`${value.slice(0, 8)}\u2026${value.slice(-8)}`}</span>
    </span>
  );
}

function Options(props: Pick<BodyPanelProps, 'row' | 'draft' | 'options' | 'onOptions'>) {
  const { row, draft, options, onOptions } = props;
  const windowMs = useRecords((state) => state.destination?.retry.windowMs ?? DEFAULT_RETRY.windowMs);
  return (
    <div className={css.options}>
      <div className={css.choices}>
        <Choice
          label="Sign with the current shared secret"
          checked={options.sign}
          onChange={(sign) => onOptions({ ...options, sign })}
        />
        <Choice
          label="Do not stop at the first success"
          checked={options.all}
          onChange={(all) => onOptions({ ...options, all })}
        />
        <Choice
          label="Set a new timestamp"
          checked={options.newTimestamp}
          onChange={(newTimestamp) => onOptions({ ...options, newTimestamp })}
        />
        <Choice
          label={`Retry for up to ${formatSpan(windowMs)} if it fails`}
          checked={options.retry}
          onChange={(retry) => onOptions({ ...options, retry })}
        />
      </div>
      <p className="muted small">
        {row.state === 'rejected' && !draft.isEdited
          ? `${rejectText(row.reason, row.reasonDetail)} It is sent as it was received, and marked so.`
          : 'You are editing a copy. The stored message stays as it was received.'}
      </p>
    </div>
  );
}

function Choice({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control
    <label className={css.choice}>
      <Checkbox label={label} checked={checked} onChange={onChange} />
      <span>{label}</span>
    </label>
  );
}
