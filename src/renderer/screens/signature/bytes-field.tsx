import { type ClipboardEvent, type DragEvent, useId, useState } from 'react';
import { MAX_COMPARED_BYTES } from '../../../contract/signature-lab.ts';
import { Button } from '../../components/button.tsx';
import { TextArea } from '../../components/input.tsx';
import { cx } from '../../lib/cx.ts';
import { formatExactSize, formatSize } from '../../lib/format.ts';
import css from './bytes-field.module.css';
import screenCss from './signature-screen.module.css';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * The bytes that the receiver hashed, from a file or as text. A paste is taken from the clipboard itself, because a text
 * field would turn CR LF into line feeds.
 */
export function BytesField({
  bytes,
  onBytes,
}: {
  bytes: Uint8Array | null;
  onBytes: (bytes: Uint8Array | null) => void;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const take = (next: Uint8Array): void => {
    const tooLong = next.length > MAX_COMPARED_BYTES;
    setProblem(tooLong ? `These are ${formatSize(next.length)}, ${formatSize(MAX_COMPARED_BYTES)} at most.` : null);
    if (!tooLong) onBytes(next);
  };
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    const [file] = event.clipboardData.files;
    if (file !== undefined) void file.arrayBuffer().then((buffer) => take(new Uint8Array(buffer)));
    else take(encode(event.clipboardData.getData('text/plain')));
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file !== undefined) void file.arrayBuffer().then((buffer) => take(new Uint8Array(buffer)));
    else take(encode(event.dataTransfer.getData('text/plain')));
  };
  return (
    <div className={screenCss.block}>
      <div className={screenCss.head}>
        <h2>
          <label htmlFor={id}>Or your receiver's bytes</label>
        </h2>
        <span className="spacer" />
        {bytes !== null && (
          <Button size="sm" onClick={() => onBytes(null)}>
            Clear
          </Button>
        )}
      </div>
      {bytes === null ? (
        <div className={css.drop} role="none" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
          <TextArea
            id={id}
            rows={2}
            value=""
            placeholder="Paste or drop the exact body your receiver hashed"
            aria-describedby={`${id}-about`}
            onPaste={paste}
            onChange={(event) => take(encode(event.target.value))}
          />
        </div>
      ) : (
        <p className={css.given} role="status">
          {formatExactSize(bytes.length)} of your receiver
        </p>
      )}
      <p id={`${id}-about`} className={problem === null ? cx('muted small', screenCss.hint) : screenCss.error}>
        {problem ?? 'Text is taken as UTF-8, a file byte for byte.'}
      </p>
    </div>
  );
}
