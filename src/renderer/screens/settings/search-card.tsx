import { RefreshCw } from 'lucide-react';
import type { SearchView } from '../../../contract/search.ts';
import { LEAST_SEARCHED } from '../../../contract/search-limits.ts';
import { Button } from '../../components/button.tsx';
import { Switch } from '../../components/controls.tsx';
import { Setting } from '../../components/setting.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { formatCount, formatExactSize, formatPercent, formatSize, plural } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import { rebuildSearchIndex, switchSearchIndex } from './actions.ts';
import { Card } from './parts.tsx';
import css from './storage-section.module.css';

/** The index that makes searches faster: how far it is, its file, and what the user can do with it. */
export function SearchCard() {
  const search = useRecords((state) => state.search);
  if (search === undefined) return null;
  const { state, bytes } = search;
  return (
    <Card title="Search index" note="finds text faster; a search finds the same without it">
      <Setting label="Index" hint={hintOf(search)}>
        <span className={css.firstLine}>
          <Switch checked={state !== 'off'} label="Search index" onChange={switchSearchIndex} />
        </span>
        <Words search={search} />
      </Setting>
      {(state === 'building' || state === 'ready') && (
        <Setting label="File">
          <span title={formatExactSize(bytes)}>{formatSize(bytes)}</span>
          <span className="muted">in search.sqlite, beside the store</span>
        </Setting>
      )}
      {state !== 'off' && state !== 'small' && <Rebuild isBuilding={state === 'building'} />}
    </Card>
  );
}

/** The button stays while the index is made, so that it keeps the focus. */
function Rebuild({ isBuilding }: { isBuilding: boolean }) {
  return (
    <Setting label="Rebuild" hint="Deletes the index and makes it again, in the background.">
      <Button
        icon={RefreshCw}
        aria-disabled={isBuilding || undefined}
        onClick={isBuilding ? undefined : rebuildSearchIndex}
      >
        Rebuild
      </Button>
    </Setting>
  );
}

const countText = ({ indexed, total }: SearchView): string =>
  `${formatCount(indexed)} of ${plural(Math.max(indexed, total), 'message')}`;

function Words({ search }: { search: SearchView }) {
  switch (search.state) {
    case 'off':
      return <span className="secondary">Off</span>;
    case 'small':
      return <span className="secondary">On, not needed yet</span>;
    case 'building':
      return <Building search={search} />;
    case 'ready':
      return <span>{countText(search)}</span>;
    case 'failed':
      return (
        <span className={toneCss.bad}>
          Failed: <Text>{search.message ?? 'no reason was given'}</Text>
        </span>
      );
  }
}

function Building({ search }: { search: SearchView }) {
  const { indexed, total } = search;
  const text = `${countText(search)}, ${formatPercent(indexed, total)}`;
  return (
    <div className={css.use}>
      <span>{text}</span>
      <div
        className={css.meter}
        role="progressbar"
        aria-label="Building the search index"
        aria-valuemin={0}
        aria-valuemax={Math.max(indexed, total)}
        aria-valuenow={indexed}
        aria-valuetext={text}
      >
        <i className={css.going} style={{ width: `${Math.min(1, indexed / Math.max(1, total)) * 100}%` }} />
      </div>
    </div>
  );
}

function hintOf({ state, indexed, total }: SearchView): string {
  switch (state) {
    case 'off':
      return 'A search reads every message. The file of the index is deleted.';
    case 'small':
      return `Below ${formatCount(LEAST_SEARCHED)} messages a search reads every message, which is as fast.`;
    case 'building':
      return 'Building. A search reads the messages that are not in the index yet.';
    case 'ready':
      return total > indexed
        ? `Up to date. A search reads the other ${formatCount(total - indexed)}, which wait to be taken in together.`
        : 'Up to date.';
    case 'failed':
      return 'A search reads every message until the index is made again.';
  }
}
