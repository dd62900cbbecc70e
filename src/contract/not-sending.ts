/** Reasons why nothing, or not everything, is sent, with their texts for the interface and the command line. */

import type { NotSendingReason } from '../core/model/vocabulary.ts';

export type { NotSendingReason as NotSendingReasonName } from '../core/model/vocabulary.ts';

interface Words {
  /** Two or three words for a status bar. */
  readonly label: string;
  /** A clause that says what is wrong. */
  readonly clause: string;
  /** A sentence that says what to do about it. */
  readonly remedy: string;
}

export const notSendingWords: Record<NotSendingReason, Words> = {
  stopping: {
    label: 'stopping',
    clause: 'Hookbench is stopping',
    remedy: 'What is left is sent after the next start.',
  },
  store_not_writable: {
    label: 'store not writable',
    clause: 'the store cannot be written',
    remedy: 'Free some space on the disk; Hookbench goes on by itself.',
  },
  store_not_readable: {
    label: 'store not readable',
    clause: 'the store cannot be read',
    remedy: 'Hookbench tries again by itself; its log has the error.',
  },
  secret_unreadable: {
    label: 'secret unreadable',
    clause: 'the shared secret cannot be read',
    remedy: 'Nothing goes out unsigned: set the secret again, or turn signing off.',
  },
  headers_unreadable: {
    label: 'headers unreadable',
    clause: 'the static headers of a webhook cannot be read',
    remedy: 'Remove the webhook and add it again with its headers.',
  },
  destination_off: {
    label: 'destination off',
    clause: 'the Webhooks destination is off',
    remedy: 'Turn it on in Webhooks.',
  },
  no_webhook: {
    label: 'no webhook',
    clause: 'no webhook is set up',
    remedy: 'Add one in Webhooks.',
  },
  webhooks_off: {
    label: 'webhooks off',
    clause: 'every webhook is off',
    remedy: 'Turn one on in Webhooks.',
  },
  by_person: {
    label: 'paused',
    clause: 'delivery is paused by a person',
    remedy: 'Resume it to go on.',
  },
  store_damaged: {
    label: 'store damaged',
    clause: 'the store is damaged, so what cannot be read is not sent',
    remedy: 'Stop Hookbench and run hookbench doctor --repair: it saves what can be read.',
  },
  store_full: {
    label: 'store full',
    clause: 'the store is full, so new calls are refused',
    remedy: 'Raise the limits, or let delivery go on.',
  },
  clock_paused: {
    label: 'retry clock paused',
    clause: 'the retry clock is paused, so nothing is tried again',
    remedy: 'Let the clock run to go on.',
  },
};

const IN_PART: ReadonlySet<NotSendingReason> = new Set(['store_damaged', 'store_full', 'clock_paused']);

/** Reasons for which nothing at all is sent. */
export const standstillsOf = (reasons: readonly NotSendingReason[]): NotSendingReason[] =>
  reasons.filter((reason) => !IN_PART.has(reason));

/** `Delivery runs.`, or one line with every reason why it does not. */
export function deliveryText(reasons: readonly NotSendingReason[]): string {
  if (reasons.length === 0) return 'Delivery runs.';
  const why = reasons.map((reason) => notSendingWords[reason].clause).join('; ');
  return `${standstillsOf(reasons).length > 0 ? 'Nothing is sent' : 'Delivery runs in part'}: ${why}.`;
}
