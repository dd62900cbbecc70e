/** How the recorded attempts of a message would have ended under other delivery rules. */

import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ProfileNameView } from '../../../contract/rules.ts';
import type { AttemptView, DestinationView, JudgedAttempt, ProfileComparison } from '../../../contract/values.ts';
import { failureText } from '../../components/commit-field.tsx';
import { AttemptCell } from '../../components/glyph.tsx';
import inputCss from '../../components/input.module.css';
import layoutCss from '../../components/layout.module.css';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { TryAgain } from '../../components/try-again.tsx';
import { cx } from '../../lib/cx.ts';
import { PROFILE_WORDS, PROFILES } from '../../lib/profiles.ts';
import { ATTEMPT_WORDS, attemptKind } from '../../lib/words/attempts.ts';
import { call } from '../../platform/connect.ts';
import detailCss from './detail.module.css';
import { FoldedSection } from './folded-section.tsx';
import css from './profile-section.module.css';

const MOST_ROWS = 200;

export interface ProfileSectionProps {
  /** Row id of the message. */
  readonly id: number;
  readonly attempts: readonly AttemptView[];
  readonly destination: DestinationView;
}

export const ProfileSection = (props: ProfileSectionProps) => (
  <FoldedSection title="With other delivery rules" note="What these attempts would have come to">
    <Comparison {...props} />
  </FoldedSection>
);

const firstOther = (present: DestinationView['profile']): ProfileNameView =>
  PROFILES.find((name) => name !== present) ?? 'documented';

type Asked = { state: 'loading' } | { state: 'failed'; text: string } | { state: 'ready'; value: ProfileComparison };

function Comparison({ id, attempts, destination }: ProfileSectionProps) {
  const selectId = useId();
  const [profile, setProfile] = useState<ProfileNameView>(() => firstOther(destination.profile));
  const [asked, setAsked] = useState<Asked>({ state: 'loading' });
  const [tries, setTries] = useState(0);
  const finished = attempts.filter(({ outcome }) => outcome !== null).length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: new results and new rules ask again
  useEffect(() => {
    let live = true;
    call('messages.underProfile', { id, profile }).then(
      (value) => live && setAsked({ state: 'ready', value }),
      (error: unknown) => live && setAsked({ state: 'failed', text: failureText(error) }),
    );
    return () => {
      live = false;
    };
  }, [id, profile, finished, destination, tries]);

  return (
    <div className={css.profile}>
      <div className={css.profilePick}>
        <label htmlFor={selectId} className="secondary">
          Rules
        </label>
        <span className={inputCss.selectBox}>
          <select
            id={selectId}
            className={inputCss.select}
            value={profile}
            onChange={(event) => setProfile(event.target.value as ProfileNameView)}
          >
            {PROFILES.map((name) => (
              <option key={name} value={name}>
                {PROFILE_WORDS[name].name}
                {name === destination.profile ? ' (in use)' : ''}
              </option>
            ))}
          </select>
          <ChevronDown className="icon" aria-hidden="true" />
        </span>
      </div>
      {asked.state === 'failed' ? (
        <p className={cx('small', toneCss.bad)}>
          {`Could not compare. ${asked.text} `}
          <TryAgain size="sm" onAgain={() => setTries(tries + 1)} />
        </p>
      ) : asked.state === 'loading' ? (
        <div className={detailCss.skeleton} style={{ width: 280 }} />
      ) : (
        <Compared value={asked.value} attempts={attempts} />
      )}
    </div>
  );
}

function Compared({ value, attempts }: { value: ProfileComparison; attempts: readonly AttemptView[] }) {
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  return (
    <div aria-live="polite">
      <p className={css.verdict}>
        <span className="medium">{PROFILE_WORDS[value.profile].name}: </span>
        <Text>{value.verdict}</Text>
      </p>
      <h4>Requests</h4>
      {value.requests.length === 0 ? (
        <p className="muted small">The requests would be the same.</p>
      ) : (
        <div className={detailCss.profileTable}>
          <table className={detailCss.table}>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">With the rules of now</th>
                <th scope="col">With {PROFILE_WORDS[value.profile].name}</th>
              </tr>
            </thead>
            <tbody>
              {value.requests.map(({ what, recorded, under }) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>
                    <Text>{recorded}</Text>
                  </td>
                  <td>
                    <Text>{under}</Text>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <h4>Attempts</h4>
      {value.attempts.length === 0 ? (
        <p className="muted small">No attempt has ended yet.</p>
      ) : (
        <JudgedTable value={value} byId={byId} />
      )}
    </div>
  );
}

function JudgedTable({ value, byId }: { value: ProfileComparison; byId: ReadonlyMap<number, AttemptView> }) {
  const shown = value.attempts.slice(-MOST_ROWS);
  return (
    <ScrollRegion className={detailCss.profileTable} aria-label="Attempts with other delivery rules">
      <table className={detailCss.table}>
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">Webhook</th>
            <th scope="col">Recorded</th>
            <th scope="col">Would be</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.attemptId} className={cx(parted(value, one) && detailCss.planned)}>
              <td>{one.round}</td>
              <td>
                <Text>{byId.get(one.attemptId)?.webhookName ?? `Webhook ${one.slot}`}</Text>
              </td>
              <td>
                <Outcome outcome={one.recorded} status={byId.get(one.attemptId)?.status ?? null} />
              </td>
              <td>
                <WouldBe one={one} status={byId.get(one.attemptId)?.status ?? null} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {value.partsAfterRound !== null && value.attempts.some((one) => parted(value, one)) && (
        <p className={cx('muted small', css.parts)}>
          {`The histories part after round ${value.partsAfterRound}; what came later says little.`}
        </p>
      )}
      {value.attempts.length > MOST_ROWS && <p className="muted small">The newest {MOST_ROWS} attempts are shown.</p>}
    </ScrollRegion>
  );
}

const parted = (value: ProfileComparison, one: JudgedAttempt): boolean =>
  value.partsAfterRound !== null && one.round > value.partsAfterRound;

function Outcome({ outcome, status }: { outcome: JudgedAttempt['recorded']; status: number | null }) {
  return (
    <span className={cx('flex-row', layoutCss.gap6)}>
      <AttemptCell outcome={outcome} status={status} />
      {`${ATTEMPT_WORDS[attemptKind({ outcome, status })].word}${status === null ? '' : ` ${status}`}`}
    </span>
  );
}

function WouldBe({ one, status }: { one: JudgedAttempt; status: number | null }) {
  if (one.under === one.recorded && one.why === null) return <span className="muted">the same</span>;
  return (
    <div className={css.wouldBe}>
      {one.under === null ? (
        <span className="muted">not known</span>
      ) : (
        <Outcome outcome={one.under} status={one.under === one.recorded ? status : null} />
      )}
      {one.why !== null && (
        <p className="muted">
          <Text>{one.why}</Text>
        </p>
      )}
    </div>
  );
}
