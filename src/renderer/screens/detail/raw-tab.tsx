/** The request that brought the message, as it was received: request line, headers, bytes. */
import type { Extension } from '@codemirror/state';
import { useMemo, useState } from 'react';
import type { RawRequestView } from '../../../contract/values.ts';
import { faultAt } from '../../components/code-tools.ts';
import { Seg } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { TryAgain } from '../../components/try-again.tsx';
import { cx } from '../../lib/cx.ts';
import { formatExactSize, formatSize } from '../../lib/format.ts';
import { bytesOfBase64 } from '../../message/body.ts';
import { HeaderList } from '../../message/header-list.tsx';
import { call } from '../../platform/connect.ts';
import detailCss from './detail.module.css';
import { aboutBytes, escaped, type Form, HEX_BYTES, hexDump, textOf } from './raw-bytes.ts';
import css from './raw-tab.module.css';
import { useAsked } from './use-asked.ts';

const askRaw = (id: number): Promise<RawRequestView> => call('messages.raw', { id });

export function RawTab({ id }: { id: number }) {
  const { asked, again } = useAsked(id, askRaw);
  if (asked === null) return <div className={detailCss.payload} aria-busy="true" />;
  if ('error' in asked)
    return (
      <EmptyState title="The request could not be read." actions={<TryAgain onAgain={again} />}>
        {asked.error}
      </EmptyState>
    );
  return <Raw raw={asked.answer} />;
}

function Raw({ raw }: { raw: RawRequestView }) {
  const { method, path, headers, encoding, decodedBase64, bodyBase64 } = raw;
  const [wantsDecoded, setWantsDecoded] = useState(true);
  const decoded = wantsDecoded ? decodedBase64 : null;
  const bytes = useMemo(() => bytesOfBase64(decoded ?? bodyBase64), [decoded, bodyBase64]);
  const text = useMemo(() => textOf(bytes), [bytes]);
  const [wanted, setForm] = useState<Form>('text');
  const form: Form = text === null ? 'hex' : wanted;
  const fault = encoding === null || decoded !== null ? raw.fault : null;
  const marks = useMemo(() => marksOf(fault, form, text), [fault, form, text]);
  const shown = useMemo(() => formOf(form, bytes, text), [form, bytes, text]);
  return (
    <div className={detailCss.payload}>
      <section className={css.rawHead} aria-label="Request as received">
        <p className="mono">
          <Text ltr>{`${method} ${path}`}</Text>
        </p>
        <HeaderList headers={headers} />
      </section>
      <div className={detailCss.payloadBar}>
        <Seg
          label="How the bytes are shown"
          value={form}
          onChange={setForm}
          options={[
            { value: 'text', label: 'Text', disabled: text === null },
            { value: 'escaped', label: '\\u', disabled: text === null },
            { value: 'hex', label: 'Hex' },
          ]}
        />
        {decodedBase64 !== null && (
          <Seg
            label="Which bytes"
            value={decoded === null ? 'wire' : 'decoded'}
            onChange={(next) => setWantsDecoded(next === 'decoded')}
            options={[
              { value: 'decoded', label: 'Decoded' },
              { value: 'wire', label: `As received, ${encoding ?? ''}` },
            ]}
          />
        )}
        <span className="muted small nowrap" title={formatExactSize(bytes.length)}>
          {formatSize(bytes.length)}
        </span>
        <span className="spacer" />
        {bytes.length > 0 && (
          <CopyButton label="Copy the received body" text={shown}>
            Copy
          </CopyButton>
        )}
      </div>
      <p className="muted small">{aboutBytes(bytes.length, decoded !== null, form, raw)}</p>
      {fault !== null && form !== 'hex' && (
        <p className={cx('small', toneCss.bad)}>
          {`The body stops being JSON at line ${fault.line}, column ${fault.column}, which is marked.`}
        </p>
      )}
      {bytes.length > 0 && (
        <div className={detailCss.payloadBody}>
          <JsonView
            key={form}
            text={shown}
            label="Received body"
            language={form === 'hex' ? 'text' : 'json'}
            wrap={form !== 'hex'}
            extensions={marks}
          />
        </div>
      )}
    </div>
  );
}

const NO_MARKS: readonly Extension[] = [];

/** The place of the fault in the text that is shown; escapes move it. */
function marksOf(fault: RawRequestView['fault'], form: Form, text: string | null): readonly Extension[] {
  if (fault === null || text === null || form === 'hex') return NO_MARKS;
  return [faultAt(form === 'escaped' ? escaped(text.slice(0, fault.offset)).length : fault.offset)];
}

function formOf(form: Form, bytes: Uint8Array, text: string | null): string {
  if (form === 'hex' || text === null) return hexDump(bytes.subarray(0, HEX_BYTES));
  return form === 'escaped' ? escaped(text) : text;
}
