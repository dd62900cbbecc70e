/** Every delivery rule: where it comes from, what it is, and what it does to the schedule. Changes save themselves. */
import './rules.css';
import { ArrowLeft } from 'lucide-react';
import { useId } from 'react';
import type { ProfileNameView } from '../../../../contract/rules.ts';
import type { DestinationView } from '../../../../contract/values.ts';
import { Button } from '../../../components/button.tsx';
import { SaveState } from '../../../frame/save-state.tsx';
import { Screen } from '../../../frame/screen.tsx';
import { cx } from '../../../lib/cx.ts';
import { PROFILE_WORDS, PROFILES } from '../../../lib/profiles.ts';
import { navigate } from '../../../stores/route.ts';
import { AuthoritiesCard, BreakerCard, RequestRulesCard, RetriedCard } from './rule-cards.tsx';
import { replaceRules, WAITING_NOTE } from './save-rules.ts';
import { ScheduleCard } from './schedule-card.tsx';
import { WaitsCard } from './waits-card.tsx';

const back = () => navigate({ screen: 'webhooks', slot: null });

export function RulesPage({ destination }: { destination: DestinationView }) {
  return (
    <Screen
      title={
        <>
          <a className="crumb" href="#/webhooks">
            Webhooks
          </a>
          <span className="t3 crumb-line"> / </span>
          Delivery rules
        </>
      }
      actions={<SaveState />}
    >
      <div className="pg rules-pg" data-region="content">
        <div className="c1 rules-c1">
          <div className="row">
            <Button size="sm" variant="ghost" icon={ArrowLeft} onClick={back}>
              Back to webhooks
            </Button>
            <span className="t3 s12 sp rules-note">{WAITING_NOTE}</span>
          </div>
          <ProfileCard destination={destination} />
          <WaitsCard retry={destination.retry} schedule={destination.schedule} />
          <RetriedCard destination={destination} />
          <RequestRulesCard destination={destination} />
          <BreakerCard breaker={destination.breaker} />
          <AuthoritiesCard caFile={destination.caFile} />
        </div>
        <div className="c2 rules-c2">
          <ScheduleCard destination={destination} />
        </div>
      </div>
    </Screen>
  );
}

const choose = (profile: ProfileNameView): void =>
  void replaceRules({ profile }, `Delivery rules: ${PROFILE_WORDS[profile].name}`);

function ProfileCard({ destination }: { destination: DestinationView }) {
  const shown = destination.profile === 'own' ? ([...PROFILES, 'own'] as const) : PROFILES;
  return (
    <section className="card" aria-labelledby="profile-title">
      <header>
        <h2 className="t" id="profile-title">
          Profile
        </h2>
        <span className="sp" />
        <Button size="sm" disabled={destination.profile === 'documented'} onClick={() => choose('documented')}>
          Reset to Documented
        </Button>
      </header>
      <fieldset className="profiles" aria-labelledby="profile-title">
        {shown.map((name) => (
          <ProfileOption key={name} name={name} checked={name === destination.profile} />
        ))}
      </fieldset>
    </section>
  );
}

function ProfileOption({ name, checked }: { name: DestinationView['profile']; checked: boolean }) {
  const id = useId();
  const words = PROFILE_WORDS[name];
  return (
    <div className={cx('profile-row', checked && 'on')}>
      <input
        type="radio"
        id={id}
        name="delivery-profile"
        checked={checked}
        aria-describedby={`${id}-about`}
        onChange={() => name !== 'own' && choose(name)}
      />
      <label htmlFor={id}>
        <span className="b5">{words.name}</span>
      </label>
      <div id={`${id}-about`}>
        <p className="t2">{words.what}</p>
        <p className="t3 s12">{words.from}</p>
      </div>
    </div>
  );
}
