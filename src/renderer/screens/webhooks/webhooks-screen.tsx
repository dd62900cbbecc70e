import { Inbox, Pause, Play, Plus, Send, Webhook } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { DestinationView, WebhookView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { Switch } from '../../components/controls.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import layoutCss from '../../components/layout.module.css';
import { Kbd } from '../../components/tag.tsx';
import toneCss from '../../components/tone.module.css';
import { Tooltip } from '../../components/tooltip.tsx';
import { setDeliveryPaused } from '../../frame/delivery-pause.ts';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { cx } from '../../lib/cx.ts';
import { isApple } from '../../lib/platform.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { HOME, navigate, useRoute } from '../../stores/route.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import { saveDestination } from './actions.ts';
import { NewWebhook } from './new-webhook.tsx';
import { RulesPage } from './rules/rules-page.tsx';
import { SecretCard } from './secret-card.tsx';
import { RequestCard, RulesCard, SourcesCard } from './side-cards.tsx';
import columnsCss from './two-columns.module.css';
import { WebhookEntry } from './webhook-entry.tsx';
import css from './webhooks-screen.module.css';

/** The destination's limit (delivery specification, section 3). */
export const MAX_WEBHOOKS = 5;

/** The Webhooks destination: where messages go and how. Changes save themselves. */
export default function WebhooksScreen() {
  const destination = useRecords((state) => state.destination);
  const sources = useRecords((state) => state.sources);
  const route = useRoute();
  if (route.screen === 'webhooks' && route.rules && destination !== undefined)
    return <RulesPage destination={destination} />;
  return (
    <Screen title="Webhooks" actions={<SaveState />}>
      {destination !== undefined && (
        <div className={cx(layoutCss.page, columnsCss.page)} data-region="content">
          <section className={css.main} aria-label="Destination">
            <DestinationCard destination={destination} />
            <WebhookList />
          </section>
          <div className={css.side}>
            <SecretCard secret={destination.secret} signature={destination.signature} />
            <SourcesCard sources={sources} />
            <RequestCard destination={destination} />
            <RulesCard destination={destination} />
          </div>
        </div>
      )}
    </Screen>
  );
}

function DestinationCard({ destination }: { destination: DestinationView }) {
  return (
    <div className={cx(css.destination, cardCss.card)}>
      <div className={cx('flex-row', layoutCss.gap12)}>
        <span className={css.mark}>
          <Webhook className="icon icon-large" aria-hidden="true" />
        </span>
        <div className={cx('spacer', layoutCss.column)}>
          <span className={css.strong}>Webhooks destination</span>
          <span className="secondary">
            Sends every message from the enabled sources. Integrations key{' '}
            <span className={cx('mono', toneCss.strong)}>Webhooks</span>.
          </span>
        </div>
      </div>
      <div className={cx('flex-row', layoutCss.gap12, css.part)}>
        <span className={cx('spacer', layoutCss.column)}>
          <span className="medium">Choose new messages</span>
          <span className="secondary">
            On: messages are chosen for Webhooks. Off: they become Not selected and are never sent.
          </span>
        </span>
        <span className={destination.enabled ? 'secondary' : toneCss.warn}>{destination.enabled ? 'On' : 'Off'}</span>
        <Switch
          checked={destination.enabled}
          label="Choose new messages"
          onChange={(enabled) => void saveDestination({ enabled })}
        />
      </div>
      <div className={cx('flex-row', layoutCss.gap12, css.part)}>
        <span className={cx('spacer', layoutCss.column)}>
          <span className="medium">Delivery</span>
          <span className="secondary">
            {destination.paused
              ? 'Chosen messages wait, and nothing but replays is sent.'
              : 'While paused, chosen messages wait, and nothing but replays is sent.'}
          </span>
        </span>
        {destination.paused && <span className={toneCss.warn}>Paused</span>}
        <Kbd>{isApple() ? '⌘ .' : 'Ctrl .'}</Kbd>
        <Button icon={destination.paused ? Play : Pause} onClick={() => void setDeliveryPaused(!destination.paused)}>
          {destination.paused ? 'Resume delivery' : 'Pause delivery'}
        </Button>
      </div>
    </div>
  );
}

function WebhookList() {
  const webhooks = useRecords((state) => state.webhooks);
  const route = useRoute();
  const openSlot = route.screen === 'webhooks' ? route.slot : null;
  const [adding, setAdding] = useState(false);
  const full = webhooks.length >= MAX_WEBHOOKS;
  useEffect(() => {
    if (full) setAdding(false);
  }, [full]);

  const show = (slot: number | null) => navigate({ screen: 'webhooks', slot }, { replace: true });
  const startAdding = () => {
    show(null);
    setAdding(true);
  };
  const added = (hook: WebhookView) => {
    setAdding(false);
    show(hook.slot);
    showToast({ title: 'Webhook added' });
  };
  return (
    <>
      <div className={cx('flex-row', css.listHead)}>
        <h2>Webhook URLs</h2>
        <span className="muted">{`${webhooks.length} of ${MAX_WEBHOOKS} used`}</span>
        <span className="spacer" />
        {webhooks.length > 0 && (
          <Button variant="ghost" icon={Send} onClick={() => void sendSample()}>
            Send a sample event
          </Button>
        )}
        {(webhooks.length > 0 || adding) && <AddButton full={full} disabled={full || adding} onClick={startAdding} />}
      </div>
      <div className={cx(cardCss.card, css.list)}>
        {webhooks.length === 0 && !adding && (
          <EmptyState
            icon={Webhook}
            title="No webhook yet."
            actions={
              <>
                <Button variant="primary" icon={Plus} onClick={startAdding}>
                  Add webhook
                </Button>
                <Button icon={Inbox} onClick={() => navigate({ screen: 'receivers', receiverId: 'ok' })}>
                  Use a test receiver
                </Button>
              </>
            }
          >
            Add the URL that receives your events. Until then messages are stored and not sent.
          </EmptyState>
        )}
        <ul>
          {webhooks.map((hook) => (
            <WebhookEntry
              key={hook.id}
              hook={hook}
              open={hook.slot === openSlot}
              onToggle={() => show(hook.slot === openSlot ? null : hook.slot)}
            />
          ))}
          {adding && !full && (
            <NewWebhook slot={freeSlot(webhooks)} onAdded={added} onCancel={() => setAdding(false)} />
          )}
        </ul>
      </div>
    </>
  );
}

function AddButton({ full, disabled, onClick }: { full: boolean; disabled: boolean; onClick: () => void }) {
  const button = (
    <Button icon={Plus} disabled={disabled} onClick={onClick}>
      Add webhook
    </Button>
  );
  return full ? (
    <Tooltip label={`All ${MAX_WEBHOOKS} webhooks are in use. Remove one to add another.`}>
      {/* A disabled button gets no pointer events, so the hint is on a span around it. */}
      <span>{button}</span>
    </Tooltip>
  ) : (
    button
  );
}

const freeSlot = (webhooks: readonly WebhookView[]): number =>
  [1, 2, 3, 4, 5].find((slot) => !webhooks.some((hook) => hook.slot === slot)) ?? MAX_WEBHOOKS;

async function sendSample(): Promise<void> {
  try {
    await call('messages.sendSample');
    showToast({
      title: 'Sample event sent through ingest',
      action: { label: 'Show', run: () => navigate(HOME) },
    });
  } catch (error) {
    showFailure('send a sample event', error);
  }
}
