import { CopyButton } from '../components/copy-button.tsx';
import { Glyph } from '../components/glyph.tsx';
import { useRecords } from '../stores/records.ts';

/** The address that SDKs are pointed at; `localhost` reaches both loopback addresses. */
export const ingestUrl = (port: number): string => `http://localhost:${port}`;

/** Listening with the address to copy, or not listening. */
export function EndpointChip() {
  const listener = useRecords((state) => state.status?.listener);
  const connection = useRecords((state) => state.connection);
  if (listener === undefined) return null;
  if (listener.state !== 'listening' || connection !== 'open') {
    return (
      <div className="endpoint down">
        <Glyph name="rejected" size={12} />
        <span className="bad">{connection === 'open' ? 'Not listening' : 'No connection'}</span>
      </div>
    );
  }
  const url = ingestUrl(listener.port);
  return (
    <div className="endpoint">
      <span className="dot" />
      <span className="vh">Listening on</span>
      <span className="mono">{url}</span>
      <CopyButton text={url} label="Copy ingest URL" />
    </div>
  );
}
