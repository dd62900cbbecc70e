import { FlaskConical } from 'lucide-react';
import { faultsText } from '../../contract/fault-words.ts';
import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { Text } from '../components/text.tsx';
import { useRecords } from '../stores/records.ts';
import { navigate, useRoute } from '../stores/route.ts';
import { setFaultsOn } from './ingest-faults.ts';

/** Shown on every screen while ingest misbehaves, so that nobody looks for the reason elsewhere. */
export function FaultsBanner() {
  const faults = useRecords((state) => state.faults);
  const sources = useRecords((state) => state.sources);
  const onScreen = useRoute().screen === 'faults';
  if (faults === undefined || !faults.active) return null;
  const text = faultsText(faults, (key) => sources.find(({ writeKey }) => writeKey === key)?.name ?? key);
  const split = text.indexOf(':') + 1;
  return (
    <Banner
      page
      tone="warn"
      icon={FlaskConical}
      title={text.slice(0, split)}
      actions={
        <>
          {!onScreen && (
            <Button size="sm" variant="ghost" onClick={() => navigate({ screen: 'faults' })}>
              Open
            </Button>
          )}
          <Button size="sm" onClick={() => void setFaultsOn(false)}>
            Turn off
          </Button>
        </>
      }
    >
      <span className="secondary">
        <Text max={300}>{text.slice(split).trim()}</Text>
      </span>
    </Banner>
  );
}
