import { type NotSendingReasonName, notSendingWords, standstillsOf } from '../../contract/not-sending.ts';
import { Banner } from '../components/banner.tsx';
import { Button } from '../components/button.tsx';
import { upperFirst } from '../lib/format.ts';
import { useRecords } from '../stores/records.ts';
import { navigate, useRoute } from '../stores/route.ts';

/** The banner texts of reasons. Other reasons have their own banner, or are shown where they matter. */
const BANNERS: Partial<Record<NotSendingReasonName, { tone: 'warn' | 'bad'; inWebhooks: boolean }>> = {
  store_not_readable: { tone: 'bad', inWebhooks: false },
  store_damaged: { tone: 'bad', inWebhooks: false },
  secret_unreadable: { tone: 'bad', inWebhooks: true },
  headers_unreadable: { tone: 'bad', inWebhooks: true },
  destination_off: { tone: 'warn', inWebhooks: true },
  no_webhook: { tone: 'warn', inWebhooks: true },
  webhooks_off: { tone: 'warn', inWebhooks: true },
};

/** Why nothing is sent, with the remedy. Renders nothing for a reason that is shown elsewhere. */
export function NotSendingBanner({ reason }: { reason: NotSendingReasonName }) {
  const onWebhooks = useRoute().screen === 'webhooks';
  const accepted = useRecords(({ status }) => status !== undefined && status.total > status.counts.rejected);
  const banner = BANNERS[reason];
  // Without an accepted message there is nothing to send.
  if (banner === undefined || (reason === 'no_webhook' && (!accepted || onWebhooks))) return null;
  const { clause, remedy } = notSendingWords[reason];
  const open = () => navigate({ screen: 'webhooks', slot: null });
  return (
    <Banner
      page
      tone={banner.tone}
      alert={banner.tone === 'bad'}
      title={`${upperFirst(clause)}${standstillsOf([reason]).length > 0 ? ', so nothing is sent' : ''}.`}
      actions={
        !banner.inWebhooks || onWebhooks ? undefined : (
          <Button size="sm" onClick={open}>
            {reason === 'no_webhook' ? 'Add a webhook' : 'Open Webhooks'}
          </Button>
        )
      }
    >
      <span className="secondary">{remedy}</span>
    </Banner>
  );
}
