import type { RecentHit } from '../../../contract/receivers.ts';
import { OutcomeStrip } from '../../components/outcome-strip.tsx';
import { formatTime } from '../../lib/format.ts';
import { outcomeSentence } from '../../lib/words/attempts.ts';
import { hitKind, hitStatusText } from './words.ts';

const PLACES = 20;

/** The newest 20 requests. */
export function HitStrip({ recent }: { recent: readonly RecentHit[] }) {
  const bars = recent.map((hit) => ({ kind: hitKind(hit), title: `${hitStatusText(hit)}, ${formatTime(hit.at)}` }));
  const label = outcomeSentence(
    'request',
    bars.map(({ kind }) => kind),
  );
  return <OutcomeStrip bars={bars} places={PLACES} label={label} narrow />;
}
