import { ListFilter } from 'lucide-react';
import { useEffect, useState } from 'react';
import { MAX_EVENT_NAME } from '../../../contract/names.ts';
import type { SourceEvent, SourceEvents, SourceView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Switch } from '../../components/controls.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Input, SearchInput } from '../../components/input.tsx';
import layoutCss from '../../components/layout.module.css';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { applySource, useRecords } from '../../stores/records.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure } from '../../stores/toasts.ts';
import css from './events-dialog.module.css';
import { shownEvents } from './source-events.ts';

/** Shortest time between two counts while calls keep coming, in milliseconds. */
const PAUSE_MS = 2000;

/** Which track events of a source go to Webhooks, with the counts of each. */
export function EventsDialog({ source, onClose }: { source: SourceView; onClose: () => void }) {
  const [search, setSearch] = useState('');
  const { counted, failure } = useEvents(source);
  const events = shownEvents(counted?.events ?? [], source.eventsOff, search);
  return (
    <Dialog open onClose={onClose} title={`Track events of ${source.name}`} width={560}>
      <div className={css.events}>
        <p className="secondary">
          A call with an event that is off is stored as not selected and is not delivered. What was stored before stays
          as it is.
        </p>
        <SearchInput value={search} onValue={setSearch} label="Find an event" placeholder="Find an event" />
        {failure !== null && <p className={toneCss.bad}>{failure}</p>}
        <ul className={css.list} aria-label="Events">
          {events.map((event) => (
            <EventRow key={event.name} event={event} source={source} />
          ))}
        </ul>
        {counted !== null && events.length === 0 && <NoEvents search={search} />}
        {counted !== null && counted.more > 0 && (
          <p className="muted">{`${plural(counted.more, 'event')} with fewer calls not listed. Switch one off by its name.`}</p>
        )}
        <SwitchOff source={source} known={source.eventsOff} />
      </div>
    </Dialog>
  );
}

/** Counted when the dialog opens, and again while calls come in. */
function useEvents({ id }: SourceView): { counted: SourceEvents | null; failure: string | null } {
  const [counted, setCounted] = useState<SourceEvents | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    let seen: string | null = null;
    const count = async () => {
      const { status } = useRecords.getState();
      const now = `${status?.total} ${status?.requestsSeen}`;
      if (now === seen) return;
      seen = now;
      try {
        const found = await call('sources.events', { id });
        if (!wanted) return;
        setCounted(found);
        setFailure(null);
      } catch (error) {
        if (wanted) setFailure(failureText(error));
      }
    };
    void count();
    const timer = setInterval(() => void count(), PAUSE_MS);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [id]);
  return { counted, failure };
}

function EventRow({ event, source }: { event: SourceEvent; source: SourceView }) {
  const { name, received, off, whole } = event;
  const isOn = !source.eventsOff.includes(name);
  return (
    <li>
      <span className={isOn ? 'ellipsis' : 'ellipsis muted'} title={name}>
        <Text>{name}</Text>
      </span>
      <span className={cx('muted', css.count)}>{countText(received, off)}</span>
      {whole ? (
        <Switch
          checked={isOn}
          label={`Send ${name} to Webhooks`}
          onChange={(on) => void switchEvent(source, name, on)}
        />
      ) : (
        <span className="muted" title="The name is longer than 300 characters.">
          Always on
        </span>
      )}
    </li>
  );
}

const countText = (received: number, off: number): string =>
  off === 0 ? `${formatCount(received)} received` : `${formatCount(received)} received, ${formatCount(off)} not sent`;

function NoEvents({ search }: { search: string }) {
  return search === '' ? (
    <EmptyState icon={ListFilter} title="No track call of this source is stored." />
  ) : (
    <EmptyState icon={ListFilter} title="No event name contains this." />
  );
}

/** For events that have not arrived yet. */
function SwitchOff({ source, known }: { source: SourceView; known: readonly string[] }) {
  const [name, setName] = useState('');
  return (
    <form
      className={cx('flex-row', layoutCss.gap6)}
      onSubmit={(event) => {
        event.preventDefault();
        if (name === '') return;
        if (!known.includes(name)) void switchEvent(source, name, false);
        setName('');
      }}
    >
      <Input
        aria-label="Name of an event to switch off"
        placeholder="Name of an event, exactly as it is sent"
        boxClassName="spacer"
        maxLength={MAX_EVENT_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button disabled={name === ''} onClick={(event) => event.currentTarget.form?.requestSubmit()}>
        Switch off
      </Button>
    </form>
  );
}

async function switchEvent({ id }: SourceView, event: string, on: boolean): Promise<void> {
  try {
    applySource(await tracked(call('sources.switchEvent', { id, event, on })));
  } catch (error) {
    showFailure(`switch ${event} ${on ? 'on' : 'off'}`, error);
  }
}
