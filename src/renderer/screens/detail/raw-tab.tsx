/** The request that brought the message, as it was received: request line, headers, bytes. */
import { useEffect, useMemo, useState } from 'react';
import type { RawRequestView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { Seg } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Text } from '../../components/text.tsx';
import { formatExactSize, formatSize } from '../../lib/format.ts';
import { bytesOfBase64 } from '../../message/body.ts';
import { HeaderList } from '../../message/header-list.tsx';
import { call } from '../../platform/connect.ts';
import detailCss from './detail.module.css';
import { aboutBytes, escaped, type Form, HEX_BYTES, hexDump, textOf } from './raw-bytes.ts';
import css from './raw-tab.module.css';

type Loaded = { readonly raw: RawRequestView } | { readonly error: string } | null;

function useRaw(id: number): { loaded: Loaded; again: () => void } {
  const [tries, setTries] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try reads again
  useEffect(() => {
    let isOpen = true;
    const put = (next: Loaded) => {
      if (isOpen) setLoaded(next);
    };
    setLoaded(null);
    call('messages.raw', { id }).then(
      (raw) => put({ raw }),
      (error: unknown) => put({ error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isOpen = false;
    };
  }, [id, tries]);
  return { loaded, again: () => setTries(tries + 1) };
}

export function RawTab({ id }: { id: number }) {
  const { loaded, again } = useRaw(id);
  if (loaded === null) return <div className={detailCss.payload} aria-busy="true" />;
  if ('error' in loaded)
    return (
      <EmptyState title="The request could not be read." actions={<Button onClick={again}>Try again</Button>}>
        {loaded.error}
      </EmptyState>
    );
  return <Raw raw={loaded.raw} />;
}

function Raw({ raw }: { raw: RawRequestView }) {
  const { method, path, headers, encoding, decodedBase64, bodyBase64 } = raw;
  const [wantsDecoded, setWantsDecoded] = useState(true);
  const decoded = wantsDecoded ? decodedBase64 : null;
  const bytes = useMemo(() => bytesOfBase64(decoded ?? bodyBase64), [decoded, bodyBase64]);
  const text = useMemo(() => textOf(bytes), [bytes]);
  const [wanted, setForm] = useState<Form>('text');
  const form: Form = text === null ? 'hex' : wanted;
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
      {bytes.length > 0 && (
        <div className={detailCss.payloadBody}>
          <JsonView
            key={form}
            text={shown}
            label="Received body"
            language={form === 'hex' ? 'text' : 'json'}
            wrap={form !== 'hex'}
          />
        </div>
      )}
    </div>
  );
}

function formOf(form: Form, bytes: Uint8Array, text: string | null): string {
  if (form === 'hex' || text === null) return hexDump(bytes.subarray(0, HEX_BYTES));
  return form === 'escaped' ? escaped(text) : text;
}
