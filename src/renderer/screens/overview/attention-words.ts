/** What needs attention, in words, each with where something can be done about it. */
import { notSendingWords } from '../../../contract/not-sending.ts';
import type { AttentionView, OverviewRange } from '../../../contract/overview.ts';
import type { ClockView, ListenerView, MessageStateName, WebhookView } from '../../../contract/values.ts';
import type { GlyphName } from '../../components/glyphs.tsx';
import { clockTime } from '../../lib/clock.ts';
import { formatCount, formatSpan, plural, upperFirst } from '../../lib/format.ts';
import { attemptResult } from '../../lib/words/attempts.ts';
import { certificateReason } from '../../lib/words/certificates.ts';
import type { Route } from '../../stores/route.ts';
import { RANGE_WORDS, reasonList } from './words.ts';

/** The action of an item: go somewhere, show some messages, or run a command. */
export type Way =
  | { kind: 'route'; label: string; route: Route }
  | { kind: 'states'; label: string; states: MessageStateName[] }
  | { kind: 'listen'; label: string }
  | { kind: 'resume'; label: string };

export interface AttentionWords {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly body: string;
  readonly way: Way | null;
}

export interface AttentionScene {
  readonly webhooks: readonly WebhookView[];
  readonly clock: ClockView;
  readonly now: number;
  readonly range: OverviewRange;
}

/** Null when the webhook was removed meanwhile. */
export function attentionWords(item: AttentionView, scene: AttentionScene): AttentionWords | null {
  switch (item.kind) {
    case 'store_not_writable':
      return {
        glyph: 'failed',
        title: 'The store cannot be written',
        body: 'New calls get 503 and delivery has stopped. Free some space on the disk.',
        way: null,
      };
    case 'not_listening':
      return {
        glyph: 'rejected',
        title: 'No events can arrive',
        body: listenerCause(item.state, item.port, item.holder),
        way: { kind: 'listen', label: 'Try again' },
      };
    case 'delivery_paused':
      return { glyph: 'paused', ...pausedWords(item) };
    case 'certificate_refused':
    case 'webhook_failing':
      return webhookWords(item, scene);
    case 'expiring':
      return {
        glyph: 'expired',
        title: expiringTitle(item, scene),
        body: `${item.name}${item.userId === null ? '' : ` for ${item.userId}`}, ${plural(item.rounds, 'round')}.`,
        way: {
          kind: 'route',
          label: 'Open message',
          route: { screen: 'live', messageId: item.id, tab: 'attempts', full: false },
        },
      };
    case 'ended':
      return {
        glyph: item.expired > 0 ? 'expired' : 'failed',
        title: [
          item.expired > 0 && `${plural(item.expired, 'message')} expired`,
          item.failed > 0 && `${item.expired > 0 ? formatCount(item.failed) : plural(item.failed, 'message')} failed`,
        ]
          .filter(Boolean)
          .join(', '),
        body: 'No webhook accepted them. They can still be replayed.',
        way: { kind: 'states', label: 'Show them', states: ['expired', 'failed'] },
      };
    case 'rejected':
      return {
        glyph: 'rejected',
        title: `${plural(item.count, 'message')} rejected`,
        body: `${reasonList(item.reasons)}.`,
        way: { kind: 'states', label: 'Show rejected', states: ['rejected'] },
      };
  }
}

function listenerCause(state: ListenerView['state'], port: number, holder: string | null): string {
  if (state === 'port_in_use') return `Port ${port} is in use${holder === null ? '' : ` by ${holder}`}.`;
  return state === 'failed' ? `Port ${port} cannot be opened.` : 'Hookbench is not listening.';
}

const toWebhooks = (label: string, slot: number | null = null): Way => ({
  kind: 'route',
  label,
  route: { screen: 'webhooks', slot },
});

function pausedWords({
  why,
  waiting,
}: Extract<AttentionView, { kind: 'delivery_paused' }>): Omit<AttentionWords, 'glyph'> {
  const wait = waiting === 0 ? '' : ` ${plural(waiting, 'message waits', 'messages wait')}.`;
  switch (why) {
    case 'secret_unreadable':
      return {
        title: 'Delivery is paused',
        body: `The shared secret cannot be read, and nothing is sent unsigned.${wait}`,
        way: toWebhooks('Set the secret again'),
      };
    case 'destination_off':
      return { title: 'The destination is off', body: wait.trim(), way: toWebhooks('Open Webhooks') };
    case 'webhooks_off':
      return { title: 'No webhook is on', body: wait.trim(), way: toWebhooks('Open Webhooks') };
    case 'by_person':
      return {
        title: 'Delivery is paused by you',
        body: wait.trim(),
        way: { kind: 'resume', label: 'Resume delivery' },
      };
    default:
      return {
        title: 'Nothing is sent',
        body: `${upperFirst(notSendingWords[why].clause)}.${wait}`,
        way: why === 'headers_unreadable' || why === 'no_webhook' ? toWebhooks('Open Webhooks') : null,
      };
  }
}

function webhookWords(
  item: Extract<AttentionView, { kind: 'certificate_refused' | 'webhook_failing' }>,
  { webhooks, range }: AttentionScene,
): AttentionWords | null {
  const webhook = webhooks.find(({ id }) => id === item.webhookId);
  if (webhook === undefined) return null;
  const name = webhook.name === '' ? `Webhook ${webhook.slot}` : webhook.name;
  const way = toWebhooks('Open webhook', webhook.slot);
  if (item.kind === 'certificate_refused') {
    const reason = item.reason === null ? '' : `Certificate: ${certificateReason(item.reason)}. `;
    return {
      glyph: 'refused_certificate',
      title: `${name} is refused`,
      body: `${reason}${plural(item.notSent, 'request')} not sent.`,
      way,
    };
  }
  const last = attemptResult({ outcome: item.outcome, status: item.status, statusText: '', reason: item.reason });
  return {
    glyph: 'failed',
    title: `${name} accepts nothing`,
    body: `${plural(item.attempts, 'attempt')} ${RANGE_WORDS[range]}, none accepted. The last one: ${last}.`,
    way,
  };
}

/** Whole minutes on the retry clock. The text names the speed, so that nobody takes them for real minutes. */
function expiringTitle(item: Extract<AttentionView, { kind: 'expiring' }>, { clock, now }: AttentionScene): string {
  const left = Math.max(0, item.expiresAt - clockTime(clock, now));
  const span = left < 60_000 ? 'within a minute' : `in ${formatSpan(Math.floor(left / 60_000) * 60_000)}`;
  const onClock = clock.speed === 1 && !clock.paused ? '' : ' on the retry clock';
  return item.count === 1
    ? `1 message expires ${span}${onClock}`
    : `${formatCount(item.count)} messages expire soon, the first ${span}${onClock}`;
}
