/** Which of the reasons for sending nothing hold. */
import { NOT_SENDING_REASONS, type NotSendingReason } from './vocabulary.ts';

export interface SendingFacts {
  readonly stopping: boolean;
  readonly store: {
    readonly writable: boolean;
    readonly readable: boolean;
    readonly damaged: boolean;
    readonly full: boolean;
  };
  readonly secretReadable: boolean;
  readonly destination: { readonly enabled: boolean; readonly paused: boolean };
  /** `readable` is false while static headers cannot be unsealed, which stops every webhook. */
  readonly webhooks: ReadonlyArray<{ readonly enabled: boolean; readonly readable: boolean }>;
  readonly clockPaused: boolean;
}

const HOLDS: Record<NotSendingReason, (facts: SendingFacts) => boolean> = {
  stopping: ({ stopping }) => stopping,
  store_not_writable: ({ store }) => !store.writable,
  store_not_readable: ({ store }) => !store.readable,
  secret_unreadable: ({ secretReadable }) => !secretReadable,
  headers_unreadable: ({ webhooks }) => webhooks.some(({ readable }) => !readable),
  destination_off: ({ destination }) => !destination.enabled,
  no_webhook: ({ webhooks }) => webhooks.length === 0,
  webhooks_off: ({ webhooks }) => webhooks.length > 0 && webhooks.every(({ enabled }) => !enabled),
  by_person: ({ destination }) => destination.paused,
  store_damaged: ({ store }) => store.damaged,
  store_full: ({ store }) => store.full,
  clock_paused: ({ clockPaused }) => clockPaused,
};

/** Every reason that holds now; empty while delivery runs. */
export const notSending = (facts: SendingFacts): NotSendingReason[] =>
  NOT_SENDING_REASONS.filter((reason) => HOLDS[reason](facts));
