import { Check, TriangleAlert } from 'lucide-react';
import type { Hazard } from '../../../contract/signature-lab.ts';
import { Text } from '../../components/text.tsx';
import { plural } from '../../lib/format.ts';
import css from './hazard-list.module.css';
import screenCss from './signature-screen.module.css';
import { firstOfEach, placeText } from './words.ts';

const SHOWN = 3;

/** Which languages would write this body otherwise, if a verifier parsed it first. */
export function HazardList({ hazards }: { hazards: readonly Hazard[] }) {
  const rows = firstOfEach(hazards);
  if (rows.length === 0) return null;
  return (
    <section className={screenCss.block} aria-label="If a verifier parses this body first">
      <div className={screenCss.head}>
        <h2>If a verifier parses this body first</h2>
      </div>
      <ul>
        {rows.map((hazard) => (
          <li key={hazard.language} className={css.row}>
            {hazard.count === 0 ? (
              <Check className="icon muted" aria-hidden="true" />
            ) : (
              <TriangleAlert className="icon" aria-hidden="true" />
            )}
            <span className="medium">{hazard.language}</span>
            <span className="muted ellipsis" title={hazard.library}>
              {hazard.library}
            </span>
            {hazard.count === 0 ? <span className="muted">Writes the same bytes</span> : <Places hazard={hazard} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Places({ hazard: { count, places } }: { hazard: Hazard }) {
  const shown = places.slice(0, SHOWN);
  return (
    <span>
      {shown.map((place, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a place may have two differences
        <span key={i} className={css.place}>
          {place.path !== '' && (
            <Text ltr className="mono secondary" max={60}>
              {place.path}
            </Text>
          )}{' '}
          <Text ltr>{placeText(place)}</Text>
        </span>
      ))}
      {count > shown.length && <span className="muted">{`${plural(count - shown.length, 'more place')}`}</span>}
    </span>
  );
}
