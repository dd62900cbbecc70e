import { useMemo } from 'react';
import type { AttemptView } from '../../contract/values.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { JsonView } from '../components/json-view.tsx';
import toneCss from '../components/tone.module.css';
import { cx } from '../lib/cx.ts';
import { formatSize } from '../lib/format.ts';
import { prettyJson } from '../lib/json.ts';
import { showBytes } from './body.ts';
import css from './message.module.css';
import { useResponseBody } from './use-bodies.ts';

/** The kept response body: JSON indented, other text as it is, bytes that are not text in hex. */
export function ResponseBody({ attempt }: { attempt: AttemptView }) {
  const loaded = useResponseBody(attempt.responseBytes === 0 ? null : attempt.id);
  const shown = useMemo(
    () => (loaded.state === 'ready' ? showBytes(loaded.bytes, attempt.responseCut) : null),
    [loaded, attempt.responseCut],
  );
  const pretty = useMemo(
    () => (shown?.kind === 'text' ? (shown.json ? prettyJson(shown.text) : shown.text) : ''),
    [shown],
  );
  if (attempt.responseBytes === 0) return <p className="muted small">The response has no body.</p>;
  if (loaded.state === 'failed')
    return <p className={cx('small', toneCss.bad)}>The body could not be read. {loaded.message}</p>;
  if (loaded.state === 'loading' || shown === null) return <div className={css.bodyWait} aria-hidden="true" />;
  if (shown.kind === 'empty') return <p className="muted small">The body was not kept.</p>;
  const cut = attempt.responseCut && (
    <p className="muted small">
      {loaded.bytes.length < attempt.responseBytes
        ? `The first ${formatSize(loaded.bytes.length)} of ${formatSize(attempt.responseBytes)} are kept.`
        : 'The body did not arrive completely.'}
    </p>
  );
  if (shown.kind === 'binary')
    return (
      <>
        <p className="muted small">{formatSize(shown.bytes)} that are not text. The first bytes:</p>
        <pre className={css.hex}>{shown.hex}</pre>
        {cut}
      </>
    );
  return (
    <div className={css.responseBody}>
      <JsonView
        text={pretty}
        source={shown.text}
        label="Response body"
        language={shown.json ? 'json' : 'text'}
        lineNumbers={pretty.includes('\n')}
        wrap
      />
      <span className={css.corner}>
        <CopyButton label="Copy response body" text={shown.text} />
      </span>
      {cut}
    </div>
  );
}
