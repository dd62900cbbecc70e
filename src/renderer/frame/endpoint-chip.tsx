import { CopyButton } from '../components/copy-button.tsx';
import { Dot } from '../components/dot.tsx';
import { Glyph } from '../components/glyph.tsx';
import toneCss from '../components/tone.module.css';
import { cx } from '../lib/cx.ts';
import { useRecords } from '../stores/records.ts';
import css from './endpoint-chip.module.css';

/** The address that SDKs send to. `localhost` reaches both loopback addresses. */
export const ingestUrl = (port: number): string => `http://localhost:${port}`;

/** Shows that ingest listens, with the address to copy, or that it does not. */
export function EndpointChip() {
  const listener = useRecords((state) => state.status?.listener);
  const connection = useRecords((state) => state.connection);
  if (listener === undefined) return null;
  if (listener.state !== 'listening' || connection !== 'open') {
    return (
      <div className={cx(css.endpoint, css.down)}>
        <Glyph name="rejected" size={12} />
        <span className={toneCss.bad}>{connection === 'open' ? 'Not listening' : 'No connection'}</span>
      </div>
    );
  }
  const url = ingestUrl(listener.port);
  return (
    <div className={css.endpoint}>
      <Dot />
      <span className="visually-hidden">Listening on</span>
      <span className="mono">{url}</span>
      <CopyButton text={url} label="Copy ingest URL" />
    </div>
  );
}
