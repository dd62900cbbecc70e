import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { AudienceRow } from '../../../contract/audiences.ts';
import { StepButtons } from '../../components/step-buttons.tsx';
import { TryAgain } from '../../components/try-again.tsx';
import { UserId } from '../../components/user-id.tsx';
import { useBrackets } from '../../frame/use-brackets.ts';
import { formatCount } from '../../lib/format.ts';
import { BodyLines } from './body-lines.tsx';
import { ChangeSign } from './change-sign.tsx';
import { SameByCommand } from './command-line.tsx';
import css from './next-sync.module.css';
import { RunEvery } from './run-every.tsx';
import { useDryRun } from './use-dry-run.ts';
import { dryRunText, isRunning, isStopped } from './words.ts';

/** What the next sync sends, call by call, and when it runs. */
export function NextSync({
  audience,
  rules = <Rules audience={audience} />,
  clockNote,
  place,
}: {
  audience: AudienceRow;
  rules?: ReactNode;
  /** Added to what is said of the retry clock. */
  clockNote?: string;
  /** The call that is shown, from 0, where others choose it too. */
  place?: Place;
}) {
  const isTrait = audience.kind === 'trait';
  return (
    <aside className={css.panel} aria-label="Next sync" data-region="dry-run" tabIndex={-1}>
      <DryRunBlock audience={audience} place={place} />
      {rules}
      <RunEvery audience={audience} note={clockNote} />
      <SameByCommand parts={[isTrait ? 'traits' : 'audiences', 'sync', audience.name]} />
    </aside>
  );
}

export interface Place {
  readonly at: number;
  readonly onAt: (at: number) => void;
}

function DryRunBlock({ audience, place: chosen }: { audience: AudienceRow; place: Place | undefined }) {
  const { kind, property, lastSync, track } = audience;
  const running = isRunning(lastSync) || isStopped(lastSync);
  const dry = useDryRun(audience);
  const [own, setOwn] = useState(0);
  const { at, onAt: setAt } = chosen ?? { at: own, onAt: setOwn };
  const total = dry.run?.total ?? 0;
  const place = Math.min(at, Math.max(0, total - 1));
  const shown = dry.run?.rows[place];
  const move = (by: number) => setAt(Math.max(0, Math.min(total - 1, place + by)));
  useBrackets(move);
  const { more } = dry;
  const isMissing = total > 0 && shown === undefined;
  useEffect(() => {
    if (isMissing) more?.();
  }, [isMissing, more]);
  return (
    <>
      <section className={css.block} aria-label="Dry run">
        <h3>{running ? 'What is sent next' : 'What the next sync sends'}</h3>
        <p className="secondary">{aboutText(audience)}</p>
        {dry.failed ? (
          <p className="secondary">
            Could not make it. <TryAgain size="sm" onAgain={dry.reload} />
          </p>
        ) : (
          dry.run !== null &&
          !running && (
            <p className="muted small">{dryRunText(dry.run, track ? 'call' : 'identify call', kind === 'trait')}</p>
          )
        )}
      </section>
      {shown !== undefined && (
        <div className={css.preview}>
          <div className={css.previewHead}>
            <ChangeSign change={shown.change} />
            <span className="medium ellipsis" title={shown.userId}>
              <UserId>{shown.userId}</UserId>
            </span>
            <span className="muted nowrap">{`${formatCount(place + 1)} of ${formatCount(total)}`}</span>
            <span className="spacer" />
            <StepButtons what="call" isFirst={place === 0} isLast={place >= total - 1} onMove={move} />
          </div>
          <BodyLines body={shown.body} property={property} change={shown.change} />
        </div>
      )}
    </>
  );
}

function aboutText({ kind, lastSync, track }: AudienceRow): string {
  const isTrait = kind === 'trait';
  if (isRunning(lastSync) || isStopped(lastSync))
    return `${isTrait ? 'Values' : 'Members'} can change meanwhile. The sync after this one sends that.`;
  if (isTrait)
    return lastSync === null
      ? 'One identify call for each user with a value.'
      : 'One identify call for each user whose value changed.';
  const calls =
    lastSync === null
      ? 'One identify call for every member.'
      : 'One identify call for each user whose membership changed.';
  return track ? `${calls} And one track call each.` : calls;
}

function Rules({ audience: { property, propertyLocked } }: { audience: AudienceRow }) {
  return (
    <section className={css.block} aria-label="Rules">
      <h3>Rules</h3>
      <ul className={css.rules}>
        <li>
          <Check className="icon" aria-hidden="true" />
          <span>
            The trait is <code className="mono">{property}</code>
            {propertyLocked && ', fixed since the first sync'}
          </span>
        </li>
        <li>
          <Check className="icon" aria-hidden="true" />
          <span>
            <code className="mono">true</code> means member, <code className="mono">false</code> means no longer a
            member
          </span>
        </li>
        <li>
          <Check className="icon" aria-hidden="true" />
          <span>The first sync sends every member. Later syncs send changes only.</span>
        </li>
      </ul>
    </section>
  );
}
