/** Why the delivered body is not the received call: its three forms, field by field or line by line. */
import { useMemo } from 'react';
import type { CallChangesView } from '../../../../contract/call-changes.ts';
import type { MessageDetail } from '../../../../contract/values.ts';
import { Banner } from '../../../components/banner.tsx';
import { Seg } from '../../../components/controls.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { JsonView } from '../../../components/json-view.tsx';
import { Text } from '../../../components/text.tsx';
import { TryAgain } from '../../../components/try-again.tsx';
import { useMedia } from '../../../frame/app-frame.tsx';
import { cx } from '../../../lib/cx.ts';
import { formatSize, plural } from '../../../lib/format.ts';
import { prettyJson } from '../../../lib/json.ts';
import { rejectText } from '../../../lib/words/rejections.ts';
import { noteText } from '../../../lib/words/selection.ts';
import { bodyWords } from '../../../message/body-words.ts';
import { call } from '../../../platform/connect.ts';
import { useView, type View } from '../../../stores/view.ts';
import detailCss from '../detail.module.css';
import { useAsked } from '../use-asked.ts';
import { type ChangeCounts, countsOf, leavesOf } from './change-rows.ts';
import { ChangedLines } from './changed-lines.tsx';
import css from './changes.module.css';
import { type Column, FieldTable } from './field-table.tsx';
import { SignatureStrip } from './signature-strip.tsx';

const askChanges = (id: number): Promise<CallChangesView | null> => call('messages.changes', { id });

/** The key V. */
export function toggleAllFields(): void {
  useView.setState(({ changesAll }) => ({ changesAll: !changesAll }));
}

export function ChangesTab({ detail, full }: { detail: MessageDetail; full: boolean }) {
  const { asked, again } = useAsked(detail.message.id, askChanges);
  if (asked === null) return <div className={css.tab} aria-busy="true" />;
  if ('error' in asked)
    return (
      <EmptyState title="The call could not be read." actions={<TryAgain onAgain={again} />}>
        {asked.error}
      </EmptyState>
    );
  const changes = asked.answer;
  if (changes === null)
    return (
      <div className={css.tab}>
        <Refusal detail={detail} />
        <p className="secondary">There is no call to compare. Raw shows what is kept of the request.</p>
      </div>
    );
  if (changes.compared === null)
    return (
      <div className={css.tab}>
        <Refusal detail={detail} />
        <ReceivedAlone received={changes.received} />
      </div>
    );
  return <Compared changes={changes} compared={changes.compared} detail={detail} full={full} />;
}

const Refusal = ({ detail: { message } }: { detail: MessageDetail }) =>
  message.state === 'rejected' && (
    <Banner tone="bad">
      <Text>{rejectText(message.reason, message.reasonDetail)}</Text>
    </Banner>
  );

type Received = CallChangesView['received'];

const receivedSize = ({ bytes, calls }: Received): string =>
  calls === null ? formatSize(bytes) : `${formatSize(bytes)} of a batch of ${calls}`;

function ReceivedAlone({ received }: { received: Received }) {
  const pretty = useMemo(() => prettyJson(received.json), [received.json]);
  return (
    <>
      <p className="small">
        <span className="medium">Received</span> <span className="muted">{receivedSize(received)}</span>
      </p>
      <p className="muted small">A rejected call is not normalised, and nothing is sent.</p>
      <div className={detailCss.payloadBody}>
        <JsonView text={pretty} source={received.json} label="Received call" wrap />
      </div>
    </>
  );
}

const FORMS: ReadonlyArray<{ value: View['changesAs']; label: string }> = [
  { value: 'fields', label: 'Fields' },
  { value: 'sides', label: 'Side by side' },
  { value: 'inline', label: 'Inline' },
];

function Compared({
  changes: { received },
  compared,
  detail,
  full,
}: {
  changes: CallChangesView;
  compared: NonNullable<CallChangesView['compared']>;
  detail: MessageDetail;
  full: boolean;
}) {
  const { fields, normalisedBytes, deliveredBytes } = compared;
  const wanted = useView((state) => state.changesAs);
  const all = useView((state) => state.changesAll);
  const wide = useMedia('(min-width: 900px)') && full;
  const isHigh = useMedia('(min-height: 800px)');
  const hasStrip = isHigh && detail.deliveredJson !== null;
  const form = wanted === 'sides' && !wide ? 'inline' : wanted;
  const counts = useMemo(() => countsOf(leavesOf(fields)), [fields]);
  const last: Column =
    deliveredBytes === null
      ? { name: 'Normalised', size: formatSize(normalisedBytes) }
      : { name: bodyWords(detail).tab, size: `${formatSize(deliveredBytes)}, compact` };
  const columns: Column[] = [
    { name: 'Received', size: receivedSize(received) },
    { name: 'Normalised', size: formatSize(normalisedBytes) },
    ...(deliveredBytes === null ? [] : [last]),
  ];
  return (
    <div className={cx(css.tab, hasStrip && css.aboveStrip)}>
      <div className={css.bar}>
        <h3 className={css.title}>What changed before sending</h3>
        <span className="muted small">{countsText(counts)}</span>
        <span className="spacer" />
        {form === 'fields' && (
          <Seg
            label="Which fields"
            value={all ? 'all' : 'changed'}
            onChange={(next) => useView.setState({ changesAll: next === 'all' })}
            options={[
              { value: 'changed', label: 'Changed' },
              { value: 'all', label: 'All fields' },
            ]}
          />
        )}
        <Seg
          label="How the call is compared"
          value={form}
          onChange={(next) => useView.setState({ changesAs: next })}
          options={FORMS.filter(({ value }) => value !== 'sides' || wide)}
        />
      </div>
      {deliveredBytes === null && <p className="secondary">The bytes to be delivered cannot be read.</p>}
      {form === 'fields' ? (
        <FieldTable fields={fields} columns={columns} all={all} />
      ) : (
        <ChangedLines fields={fields} left={columns[0]!} right={last} inline={form === 'inline'} />
      )}
      <Notes detail={detail} />
      {hasStrip && <SignatureStrip detail={detail} full={full} />}
    </div>
  );
}

/** `10 of 19 fields: 3 rewritten, 4 added, 6 left out`. A field can be added and then left out. */
function countsText({ fields, changed, rewritten, added, leftOut }: ChangeCounts): string {
  const kinds = [
    [rewritten, 'rewritten'],
    [added, 'added'],
    [leftOut, 'left out'],
  ] as const;
  const some = kinds.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `${changed} of ${plural(fields, 'field')}${some.length === 0 ? '' : `: ${some.join(', ')}`}`;
}

/** What no cell can show: a key that came twice, and keys that stand in another place. */
const ABOUT_KEYS: ReadonlySet<string> = new Set(['duplicate_key', 'integer_keys_moved']);

function Notes({ detail: { message } }: { detail: MessageDetail }) {
  const notes = message.notes.filter(({ code }) => ABOUT_KEYS.has(code));
  return notes.map((note) => (
    <p key={`${note.code} ${note.field ?? ''}`} className="secondary small">
      <Text>{noteText(note)}</Text>
    </p>
  ));
}
