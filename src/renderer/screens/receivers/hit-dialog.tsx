import { useEffect, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { HitDetail } from '../../../contract/receivers.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import factsCss from '../../components/facts.module.css';
import { JsonView } from '../../components/json-view.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatDateTime, formatSize } from '../../lib/format.ts';
import { prettyJson } from '../../lib/json.ts';
import { HeaderList } from '../../message/header-list.tsx';
import { call } from '../../platform/connect.ts';
import { formatRoute } from '../../stores/route.ts';
import css from './hit-dialog.module.css';
import { Verdict } from './receiver-table.tsx';
import { SentBy } from './sent-by.tsx';
import { answerText, VERDICT_WORDS } from './words.ts';

/** One request: who sent it, how it was answered, its verdict, headers and body. */
export function HitDialog({ receiver, hit, onClose }: { receiver: string; hit: number; onClose: () => void }) {
  const [detail, setDetail] = useState<HitDetail | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let stale = false;
    call('receivers.hit', { id: receiver, hit }).then(
      (found) => !stale && setDetail(found),
      (failure: unknown) =>
        !stale && setError(failure instanceof ContractError ? failure.message : 'Could not read this request.'),
    );
    return () => {
      stale = true;
    };
  }, [receiver, hit]);
  const row = () => document.querySelector<HTMLElement>(`[data-hit="${hit}"]`);
  return (
    <Dialog open onClose={onClose} title="Request" width={720} returnTo={row}>
      {error !== null && <Gone problem={error} onClose={onClose} />}
      {detail !== null && <Detail hit={detail} />}
    </Dialog>
  );
}

/** Why there is nothing to show, and where to go on. */
function Gone({ problem, onClose }: { problem: string; onClose: () => void }) {
  return (
    <>
      <Banner tone="bad" title={problem} />
      <div className={css.gone}>
        <Button onClick={onClose}>Show the receiver</Button>
        <a href={formatRoute({ screen: 'live', messageId: null, tab: 'attempts', full: false })}>
          What Hookbench sent is in the live stream
        </a>
      </div>
    </>
  );
}

function Detail({ hit }: { hit: HitDetail }) {
  const body = decode(hit.bodyBase64);
  return (
    <div className={css.hitDetail}>
      <dl className={cx(factsCss.facts, toneCss.strong, css.facts)}>
        <dt>Received</dt>
        <dd>{formatDateTime(hit.at)}</dd>
        <dt>Request</dt>
        <dd className="mono">
          <Text ltr>{`${hit.method} ${hit.path}`}</Text>
        </dd>
        <dt>Sent by</dt>
        <dd className={css.sender}>
          <SentBy sender={hit.sender} />
        </dd>
        <dt>Answer</dt>
        <dd>{answerText(hit)}</dd>
        <dt>Signature</dt>
        <dd className={css.verdict}>
          <Verdict verdict={hit.verdict} none="Not checked" />
          {hit.verdict !== null && <span className="muted">{VERDICT_WORDS[hit.verdict].about}</span>}
        </dd>
      </dl>
      {hit.reserialises === false && (
        <Banner tone="warn" title="The raw bytes verify, the re-serialised body does not.">
          A receiver that digests its parsed and re-serialised body, as section 5.4 says, gets another digest here.
        </Banner>
      )}
      <section className={css.headers} aria-label="Headers">
        <h3>Headers</h3>
        <HeaderList headers={hit.headers} />
      </section>
      <section aria-label="Body">
        <div className="flex-row">
          <h3>Body</h3>
          <span className="muted">
            {formatSize(hit.bodyBytes)}
            {hit.bodyCut && ', the first 64 KB are kept'}
          </span>
          <span className="spacer" />
          {body !== '' && <CopyButton text={body} label="Copy the body" />}
        </div>
        {body === '' ? (
          <p className="muted">Empty.</p>
        ) : (
          <div className={css.body}>
            <JsonView
              text={hit.bodyCut ? body : prettyOr(body)}
              source={body}
              label="Body"
              language={languageOf(body)}
            />
          </div>
        )}
      </section>
    </div>
  );
}

const decode = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const languageOf = (text: string): 'json' | 'text' => (isJson(text) ? 'json' : 'text');
const prettyOr = (text: string): string => (isJson(text) ? prettyJson(text) : text);
