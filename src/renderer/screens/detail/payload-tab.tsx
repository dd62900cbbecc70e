/** The call as received, and the delivered bytes. Indented for reading, copied unchanged. */
import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { DestinationView, MessageDetail } from '../../../contract/values.ts';
import { Banner } from '../../components/banner.tsx';
import { codeTools } from '../../components/code-tools.ts';
import { Seg } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { byteLength, formatExactSize, formatSize, plural } from '../../lib/format.ts';
import { prettyJson } from '../../lib/json.ts';
import { rejectText } from '../../lib/words/rejections.ts';
import { noteText, notSelectedText } from '../../lib/words/selection.ts';
import { inGroupsOf8 } from '../../message/body.ts';
import { bodyWords } from '../../message/body-words.ts';
import { bodyOf, requestOf, type Side, unsignedText } from '../../message/copies.ts';
import { CopyCurl } from '../../message/copy-curl.tsx';
import { HeaderList } from '../../message/header-list.tsx';
import { useRecords } from '../../stores/records.ts';
import { formatRoute } from '../../stores/route.ts';
import detailCss from './detail.module.css';
import { copyPathAt, copyValueAt, JsonPlaceBar } from './json-place-bar.tsx';
import css from './payload-tab.module.css';

export interface PayloadTabProps {
  readonly detail: MessageDetail;
  readonly side: Side;
  readonly full: boolean;
  readonly onSide: (side: Side) => void;
}

const RECEIVED = 'The call as Hookbench read it, with batch fields merged and the timestamp in UTC.';

export function PayloadTab({ detail, side, full, onSide }: PayloadTabProps) {
  const destination = useRecords((state) => state.destination);
  const webhooks = useRecords((state) => state.webhooks);
  const port = useRecords((state) => state.status?.listener.port ?? 0);
  const body = bodyOf(detail, side);
  const pretty = useMemo(() => (body === null ? '' : prettyJson(body)), [body]);
  const request = requestOf(detail, side, webhooks, port);
  const words = bodyWords(detail);
  const name = side === 'received' ? 'Received call' : words.body;
  const size = body === null ? 0 : byteLength(body);
  return (
    <div className={detailCss.payload}>
      <Reasons detail={detail} />
      <div className={detailCss.payloadBar}>
        <Seg
          label="Which payload"
          value={side}
          onChange={onSide}
          options={[
            { value: 'received', label: 'Received' },
            ...(detail.deliveredJson === null ? [] : [{ value: 'delivered' as const, label: words.tab }]),
          ]}
        />
        {body !== null && (
          <span className="muted small nowrap" title={formatExactSize(size)}>
            {formatSize(size)}
          </span>
        )}
        <span className="spacer" />
        {body !== null && (
          <CopyButton label={`Copy: ${name}`} text={body}>
            Copy
          </CopyButton>
        )}
        {request !== null && <CopyCurl name={name} request={() => request} />}
      </div>
      {body === null ? (
        <p className="secondary">
          The bytes of this request were not a call, so there is nothing to show. Its facts are below.{' '}
          <a href={formatRoute({ screen: 'live', messageId: detail.message.id, tab: 'raw', full })}>Show the bytes</a>
        </p>
      ) : (
        <>
          <p className="muted small">{side === 'received' ? RECEIVED : `${words.about} Indented here for reading.`}</p>
          <Body key={side} pretty={pretty} body={body} name={name} />
        </>
      )}
      {side === 'delivered' && destination !== undefined && (
        <Signature digest={detail.signature} secret={destination.secret} bytes={size} />
      )}
      <RequestFacts detail={detail} />
    </div>
  );
}

/** The body in a code view, with search and copies of single paths and values. */
function Body({ pretty, body, name }: { pretty: string; body: string; name: string }) {
  const [caret, setCaret] = useState<number | null>(null);
  const tools = useMemo(
    () =>
      codeTools({
        onCaret: setCaret,
        onCopyPath: (offset) => copyPathAt(pretty, offset),
        onCopyValue: (offset) => copyValueAt(pretty, offset),
      }),
    [pretty],
  );
  return (
    <>
      <JsonPlaceBar text={pretty} offset={caret} onFind={tools.find} />
      <div className={detailCss.payloadBody}>
        <JsonView text={pretty} source={body} label={name} wrap extensions={tools.extensions} />
      </div>
    </>
  );
}

/** Why it was refused or left out, and what was noted while reading it. */
function Reasons({ detail }: { detail: MessageDetail }) {
  const { message, sourceName } = detail;
  return (
    <>
      {message.state === 'rejected' && (
        <Banner tone="bad">
          <Text>{rejectText(message.reason, message.reasonDetail)}</Text>
        </Banner>
      )}
      {message.state === 'not_selected' && (
        <Banner>
          <Text>{notSelectedText(message.reason, sourceName, message.notes)}</Text>
        </Banner>
      )}
      {message.notes.length > 0 && (
        <ul className={css.notes} aria-label="Notes">
          {message.notes.map((note) => (
            <li key={`${note.code} ${note.field ?? ''} ${note.detail ?? ''}`}>
              <Text>{noteText(note)}</Text>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Signature({
  digest,
  secret,
  bytes,
}: {
  digest: string | null;
  secret: DestinationView['secret'];
  bytes: number;
}) {
  if (digest === null) return <p className="secondary small">{unsignedText(secret)}</p>;
  return (
    <section className={css.signature} aria-label="X-Signature">
      <div className="flex-row">
        <span className="mono muted">X-Signature</span>
        <span className="spacer" />
        <CopyButton label="Copy X-Signature" text={digest} />
      </div>
      <p className={cx('mono', css.digest)}>
        {inGroupsOf8(digest).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the group's name
          <span key={index}>{group}</span>
        ))}
      </p>
      <p className="muted small">HMAC-SHA1 over the {formatSize(bytes)} of the body with the current shared secret.</p>
    </section>
  );
}

function RequestFacts({ detail }: { detail: MessageDetail }) {
  const [open, setOpen] = useState(detail.callJson === null);
  const { request } = detail;
  if (request === null) return null;
  return (
    <section className={detailCss.requestFacts}>
      <button type="button" className={detailCss.roundHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight className={cx('icon', detailCss.chevron)} aria-hidden="true" />
        <span className="medium nowrap">Request</span>
        <Text ltr className="mono secondary ellipsis">
          {`${request.method} ${request.path}`}
        </Text>
        <span />
        <span className="muted small nowrap">
          {formatSize(request.decodedBytes)}
          {request.encoding !== null && `, ${request.encoding}`}, answered {request.status}
        </span>
      </button>
      {open &&
        (request.headers.length > 0 ? (
          <HeaderList headers={request.headers} />
        ) : (
          <p className="muted small">{plural(0, 'header')}</p>
        ))}
    </section>
  );
}
