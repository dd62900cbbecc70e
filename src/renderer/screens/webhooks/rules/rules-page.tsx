/** Every delivery rule: its origin, its value, and its effect on the schedule. Changes save themselves. */

import { ArrowLeft } from 'lucide-react';
import { useId } from 'react';
import type { ProfileNameView } from '../../../../contract/rules.ts';
import type { DestinationView } from '../../../../contract/values.ts';
import { Button } from '../../../components/button.tsx';
import cardCss from '../../../components/card.module.css';
import layoutCss from '../../../components/layout.module.css';
import { SaveState } from '../../../frame/save-state.tsx';
import { Screen } from '../../../frame/screen.tsx';
import { cx } from '../../../lib/cx.ts';
import { PROFILE_WORDS, PROFILES } from '../../../lib/profiles.ts';
import { navigate } from '../../../stores/route.ts';
import columnsCss from '../two-columns.module.css';
import { AuthoritiesCard, BreakerCard, RequestRulesCard, RetriedCard } from './rule-cards.tsx';
import css from './rules-page.module.css';
import { replaceRules, WAITING_NOTE } from './save-rules.ts';
import { ScheduleCard } from './schedule-card.tsx';
import { WaitsCard } from './waits-card.tsx';

const back = () => navigate({ screen: 'webhooks', slot: null });

export function RulesPage({ destination }: { destination: DestinationView }) {
  return (
    <Screen
      title={
        <>
          <a className={css.crumb} href="#/webhooks">
            Webhooks
          </a>
          <span className={cx('muted', css.crumbLine)}> / </span>
          Delivery rules
        </>
      }
      actions={<SaveState />}
    >
      <div className={cx(layoutCss.page, columnsCss.page, css.page)} data-region="content">
        <div className={css.main}>
          <div className="flex-row">
            <Button size="sm" variant="ghost" icon={ArrowLeft} onClick={back}>
              Back to webhooks
            </Button>
            <span className={cx('muted small spacer', css.note)}>{WAITING_NOTE}</span>
          </div>
          <ProfileCard destination={destination} />
          <WaitsCard retry={destination.retry} schedule={destination.schedule} />
          <RetriedCard destination={destination} />
          <RequestRulesCard destination={destination} />
          <BreakerCard breaker={destination.breaker} />
          <AuthoritiesCard caFile={destination.caFile} />
        </div>
        <div className={css.side}>
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
    <section className={cardCss.card} aria-labelledby="profile-title">
      <header>
        <h2 id="profile-title">Profile</h2>
        <span className="spacer" />
        <Button size="sm" disabled={destination.profile === 'documented'} onClick={() => choose('documented')}>
          Reset to Documented
        </Button>
      </header>
      <fieldset className={css.profiles} aria-labelledby="profile-title">
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
    <div className={cx(css.profile, checked && css.chosen)}>
      <input
        type="radio"
        id={id}
        name="delivery-profile"
        checked={checked}
        aria-describedby={`${id}-about`}
        onChange={() => name !== 'own' && choose(name)}
      />
      <label htmlFor={id}>
        <span className="medium">{words.name}</span>
      </label>
      <div id={`${id}-about`}>
        <p className="secondary">{words.what}</p>
        <p className="muted small">{words.from}</p>
      </div>
    </div>
  );
}
