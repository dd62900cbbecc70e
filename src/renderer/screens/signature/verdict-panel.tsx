import { FingerprintPattern } from 'lucide-react';
import type { BytesCompared, SignedAttempt } from '../../../contract/signature-lab.ts';
import { Button } from '../../components/button.tsx';
import { HexCompare } from '../../components/hex-compare.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { formatCount } from '../../lib/format.ts';
import { bytesOfBase64, inGroupsOf8 } from '../../message/body.ts';
import { VerifySnippet } from '../../message/verify-snippet.tsx';
import screenCss from './signature-screen.module.css';
import type { Search } from './use-search.ts';
import css from './verdict-panel.module.css';
import { aboutOf, headlineOf, languageOf, placeOf } from './words.ts';

export interface VerdictPanelProps {
  readonly shown: SignedAttempt;
  readonly sent: Uint8Array;
  readonly digest: string;
  readonly search: Search;
  /** Of the receiver. */
  readonly bytes: Uint8Array | null;
  readonly compared: BytesCompared | null;
  readonly isTyped: boolean;
}

export function VerdictPanel(props: VerdictPanelProps) {
  const { shown, search } = props;
  return (
    <>
      <div className={css.verdict}>
        <span className={css.mark}>
          <FingerprintPattern className="icon icon-large" aria-hidden="true" />
        </span>
        <div className={css.words} role="status">
          <Words {...props} />
        </div>
      </div>
      <Digests {...props} />
      <FirstDifference {...props} />
      <div className={screenCss.block}>
        <VerifySnippet
          title="Fix in your receiver"
          suggested={languageOf(search.state === 'done' ? search.verdict : null, shown.hazards)}
        />
      </div>
    </>
  );
}

function Words({ search, digest, compared, isTyped }: VerdictPanelProps) {
  switch (search.state) {
    case 'none':
      return (
        <>
          <h2>Paste the digest that your receiver computed</h2>
          <p className="secondary">
            The lab changes the body, the secret and the hash in the ways that libraries do until the digest comes out.
          </p>
        </>
      );
    case 'searching':
      return (
        <>
          <h2>Searching</h2>
          <p className="secondary">{formatCount(search.tried)} digests compared so far.</p>
          <Button size="sm" onClick={search.cancel}>
            Cancel
          </Button>
        </>
      );
    case 'cancelled':
      return (
        <>
          <h2>Cancelled</h2>
          <p className="secondary">{formatCount(search.tried)} digests were compared, and none was yours.</p>
          <Button size="sm" onClick={search.again}>
            Search again
          </Button>
        </>
      );
    case 'failed':
      return (
        <>
          <h2>The search failed</h2>
          <p className="secondary">{search.message}</p>
          <TryAgain size="sm" onAgain={search.again} />
        </>
      );
    case 'done':
      if (search.verdict.kind === 'not_a_digest') return <h2>This is not a digest yet</h2>;
      return (
        <>
          <h2>{headlineOf(search.verdict)}</h2>
          {aboutOf(search.verdict, search.hasOtherSecret && !isTyped).map((line) => (
            <p key={line} className="secondary">
              {line}
            </p>
          ))}
          {compared !== null && digest !== '' && <p className="secondary">{bytesText(digest, compared)}</p>}
        </>
      );
  }
}

/** Whether the bytes and the digest of the receiver belong together. */
const bytesText = (digest: string, compared: BytesCompared): string =>
  digest.trim().toLowerCase() === compared.digest
    ? 'Your bytes give your digest with this secret.'
    : 'Your bytes give another digest with this secret: your receiver hashed others, or used another secret or hash.';

function Digests({ shown, digest, compared }: VerdictPanelProps) {
  const { sent, expected } = shown;
  const rows = [
    ['X-Signature sent', sent ?? 'none, the attempt was not signed'],
    ...(expected !== null && expected !== sent ? [['With the secret of now', expected]] : []),
    ...(digest.trim() === '' ? [] : [['Your digest', digest.trim()]]),
    ...(compared === null ? [] : [['Digest of your bytes', compared.digest]]),
  ] as const;
  return (
    <dl className={css.digests}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="muted">{name}</dt>
          <dd className="mono">{/^[0-9a-f]{40}$/i.test(value!) ? inGroupsOf8(value!).join(' ') : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Of the bytes that were given, or else of those that the search found. */
function FirstDifference({ sent, search, bytes, compared }: VerdictPanelProps) {
  const found = search.state === 'done' && search.verdict.kind === 'explained' ? search.verdict.hashed : null;
  const isGiven = bytes !== null && compared !== null;
  const difference = isGiven ? compared.difference : (found?.difference ?? null);
  const other = isGiven ? bytes : found === null ? null : bytesOfBase64(found.base64);
  if (isGiven && difference === null)
    return (
      <div className={screenCss.block}>
        <p className="secondary">Your receiver's bytes are exactly those that were sent.</p>
      </div>
    );
  if (difference === null || other === null) return null;
  return (
    <section className={screenCss.block} aria-label="First difference">
      <div className={screenCss.head}>
        <h2>First difference</h2>
        <span className="muted">{placeOf(difference, sent.length)}</span>
      </div>
      <HexCompare
        sent={{ name: 'Sent', bytes: sent }}
        other={{ name: 'Your receiver', bytes: other }}
        at={difference.at}
      />
    </section>
  );
}
