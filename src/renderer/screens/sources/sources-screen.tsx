import { Pencil, Plug, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SourceView } from '../../../contract/values.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { Switch } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import layoutCss from '../../components/layout.module.css';
import { KIND_WORDS, KindIcon } from '../../components/source-kind.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { changeSource } from '../../frame/change-source.ts';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import { EventsDialog } from './events-dialog.tsx';
import { useHeldKeys } from './held-calls.ts';
import { HttpsCard } from './https-card.tsx';
import { newSource, SourceDialog, type SourceDraft } from './source-dialog.tsx';
import { eventsText } from './source-events.ts';
import css from './sources-screen.module.css';

/** Where messages come from: names, write keys, and whether they go to Webhooks. */
export default function SourcesScreen() {
  const sources = useRecords((state) => state.sources);
  const [editing, setEditing] = useState<SourceDraft | null>(null);
  const [removing, setRemoving] = useState<SourceView | null>(null);
  const [eventsOf, setEventsOf] = useState<number | null>(null);
  const switching = sources.find(({ id }) => id === eventsOf);

  const saved = (source: SourceView) => {
    setEditing(null);
    if (editing?.id === undefined && editing?.writeKey !== '') void takeHeld(source.writeKey);
    else showToast({ title: editing.id === undefined ? 'Source added' : 'Source saved', body: source.name });
  };
  return (
    <Screen title="Sources" actions={<SaveState />}>
      <div className={cx(layoutCss.page, css.page)} data-region="content">
        <HeldHints onAdd={(writeKey) => setEditing(newSource(writeKey))} />
        <div className={cx('flex-row', css.head)}>
          <h2>Write keys</h2>
          <span className="muted">{plural(sources.length, 'source')}</span>
          <span className="spacer" />
          <Button icon={Plus} onClick={() => setEditing(newSource())}>
            Add source
          </Button>
        </div>
        <div className={cardCss.card}>
          {sources.length === 0 ? (
            <EmptyState
              icon={Plug}
              title="No source yet."
              actions={
                <Button variant="primary" icon={Plus} onClick={() => setEditing(newSource())}>
                  Add source
                </Button>
              }
            >
              A source gives SDKs a write key. Calls with any other key are rejected.
            </EmptyState>
          ) : (
            <SourceTable
              sources={sources}
              onEvents={({ id }) => setEventsOf(id)}
              onEdit={setEditing}
              onRemove={setRemoving}
            />
          )}
        </div>
        <HttpsCard />
      </div>
      {editing !== null && <SourceDialog start={editing} onClose={() => setEditing(null)} onSaved={saved} />}
      {switching !== undefined && <EventsDialog source={switching} onClose={() => setEventsOf(null)} />}
      <ConfirmDialog
        open={removing !== null}
        title="Remove this source"
        verb="Remove"
        onClose={() => setRemoving(null)}
        onConfirm={() => removing !== null && void removeSource(removing)}
      >
        <p>
          Calls with the write key of{' '}
          <b className={cx('medium', toneCss.strong)}>{removing !== null && <Text>{removing.name}</Text>}</b> are
          rejected from then on. Its messages stay.
        </p>
      </ConfirmDialog>
    </Screen>
  );
}

function SourceTable({
  sources,
  onEvents,
  onEdit,
  onRemove,
}: {
  sources: readonly SourceView[];
  onEvents: (source: SourceView) => void;
  onEdit: (source: SourceView) => void;
  onRemove: (source: SourceView) => void;
}) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col" className={css.kind}>
            Kind
          </th>
          <th scope="col">Write key</th>
          <th scope="col">Receives</th>
          <th scope="col">To Webhooks</th>
          <th scope="col">Track events</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sources.map((source) => (
          <SourceRow
            key={source.id}
            source={source}
            onEvents={() => onEvents(source)}
            onEdit={() => onEdit(source)}
            onRemove={() => onRemove(source)}
          />
        ))}
      </tbody>
    </table>
  );
}

function SourceRow({
  source,
  onEvents,
  onEdit,
  onRemove,
}: {
  source: SourceView;
  onEvents: () => void;
  onEdit: () => void;
  onRemove: () => void;
}) {
  const { name, writeKey, kind, enabled, webhooks, eventsOff } = source;
  return (
    <tr>
      <td>
        <span className={cx('flex-row', layoutCss.gap6)} title={name}>
          <KindIcon kind={kind} />
          <span className={enabled ? 'medium ellipsis' : 'medium ellipsis muted'}>
            <Text>{name}</Text>
          </span>
        </span>
      </td>
      <td className={cx('secondary', css.kind)}>{KIND_WORDS[kind]}</td>
      <td>
        <span className={cx('flex-row', layoutCss.gap4)}>
          <span className="mono secondary ellipsis" title={writeKey}>
            <Text ltr>{writeKey}</Text>
          </span>
          <CopyButton text={writeKey} label={`Copy the write key of ${name}`} />
        </span>
      </td>
      <td>
        <Switch
          checked={enabled}
          label={`Receive calls of ${name}`}
          onChange={(on) => void changeSource(source, { enabled: on })}
        />
      </td>
      <td>
        <Switch
          checked={webhooks}
          disabled={!enabled}
          label={`Send messages of ${name} to Webhooks`}
          onChange={(on) => void changeSource(source, { webhooks: on })}
        />
      </td>
      <td>
        <Button size="sm" aria-label={`Track events of ${name}: ${eventsText(eventsOff)}`} onClick={onEvents}>
          {eventsText(eventsOff)}
        </Button>
      </td>
      <td>
        <span className={cx('flex-row', layoutCss.gap4, css.actions)}>
          <IconButton size="sm" label={`Edit ${name}`} hint="Edit" icon={Pencil} onClick={onEdit} />
          <IconButton size="sm" label={`Remove ${name}`} hint="Remove" icon={Trash2} onClick={onRemove} />
        </span>
      </td>
    </tr>
  );
}

/** Calls with a key that no source has: one line per key, at most three. */
function HeldHints({ onAdd }: { onAdd: (writeKey: string) => void }) {
  const held = useHeldKeys();
  return held.slice(0, 3).map(({ writeKey, calls }) => (
    <Banner
      key={writeKey}
      tone="warn"
      title={`${plural(calls, 'call')} came with a write key that no source has:`}
      actions={
        <Button size="sm" onClick={() => onAdd(writeKey)}>
          Add a source with this key
        </Button>
      }
    >
      <span className="mono">
        <Text ltr>{writeKey}</Text>
      </span>
    </Banner>
  ));
}

async function removeSource(source: SourceView): Promise<void> {
  try {
    await tracked(call('sources.remove', { id: source.id }));
    showToast({ title: 'Source removed', body: source.name });
  } catch (error) {
    showFailure(`remove ${source.name}`, error);
  }
}

/** Ingests the calls held for a key that has a source now. */
async function takeHeld(writeKey: string): Promise<void> {
  try {
    const { calls } = await call('messages.reingestHeld', { writeKey });
    showToast({ title: 'Source added', body: calls > 0 ? `${plural(calls, 'held call')} taken in.` : undefined });
  } catch (error) {
    showFailure('take in the held calls', error);
  }
}
