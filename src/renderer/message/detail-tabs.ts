import { useCallback } from 'react';
import { type DetailTab, navigate } from '../stores/route.ts';

/** The tabs that exist so far, in order. */
export const TABS = ['attempts', 'payload', 'compare', 'signature', 'raw'] as const;
export type ShownTab = (typeof TABS)[number];

export const TAB_LABELS: Readonly<Record<ShownTab, string>> = {
  attempts: 'Attempts',
  payload: 'Payload',
  compare: 'Received and delivered',
  signature: 'Signature',
  raw: 'Raw',
};

/** An address may name a tab that does not exist yet. */
export const shownTab = (tab: DetailTab): ShownTab => TABS.find((one) => one === tab) ?? 'attempts';

/** Goes to another tab or size of this message. Only a change of size adds a history entry. */
export function useGo(
  id: number,
  tab: ShownTab,
  full: boolean,
  attempt?: number,
): (next: { tab?: DetailTab; full?: boolean }) => void {
  return useCallback(
    (next) =>
      navigate(
        {
          screen: 'live',
          messageId: id,
          tab: next.tab ?? tab,
          full: next.full ?? full,
          ...(attempt !== undefined && { attempt }),
        },
        { replace: next.full === undefined },
      ),
    [id, tab, full, attempt],
  );
}
