import type { DestinationView, WebhookView } from '../../../../contract/values.ts';
import { Button } from '../../../components/button.tsx';
import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import { isThisMachine } from '../../../lib/this-machine.ts';
import { useRecords } from '../../../stores/records.ts';
import { navigate } from '../../../stores/route.ts';
import { Card } from '../parts.tsx';
import settingsCss from '../settings.module.css';
import css from './privacy.module.css';

/** To whom Hookbench sends, by the webhooks and rules as they are now. */
export function LeavingCard() {
  const destination = useRecords((state) => state.destination);
  const webhooks = useRecords((state) => state.webhooks);
  if (destination === undefined) return null;
  return (
    <Card
      title="What leaves this machine"
      note="deliveries and replays"
      actions={
        <Button size="sm" onClick={() => navigate({ screen: 'webhooks', slot: null })}>
          Open Webhooks
        </Button>
      }
    >
      <p>
        Hookbench sends messages to the webhooks that you set, and to other URLs only when you name them in a replay. It
        sends no usage data and no crash reports, and looks for no updates.
      </p>
      {webhooks.length === 0 ? (
        <p className="secondary">No webhook is set, so nothing is delivered.</p>
      ) : (
        <ul className={css.rows} aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <Receiver key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      <ul className={cx(css.sentences, 'secondary')}>
        <li>
          A request has the delivered body with every user id, trait and property of the call, your static headers, and
          the signature when a secret is set. Nothing in it is masked.
        </li>
        <li>
          The system looks up the host names of these URLs, so its name servers see them. {redirectsText(destination)}
        </li>
        <li>Hookbench listens on this machine only. No other machine can connect to it.</li>
      </ul>
    </Card>
  );
}

function Receiver({ webhook: { name, url, enabled } }: { webhook: WebhookView }) {
  return (
    <li>
      <span className="medium ellipsis">
        <Text>{name}</Text>
      </span>
      <span className={cx(css.whole, 'mono secondary')} title={url}>
        <Text ltr>{new URL(url).origin}</Text>
      </span>
      <span className="muted nowrap">{`${isThisMachine(url) ? 'this machine' : 'another host'}, ${enabled ? 'on' : 'off'}`}</span>
    </li>
  );
}

function redirectsText({ redirects }: DestinationView) {
  if (redirects === 'decline') return 'Redirects are not followed.';
  return (
    <>
      Your{' '}
      <a className={settingsCss.inText} href="#/webhooks/rules">
        delivery rules
      </a>{' '}
      follow redirects, so a receiver can lead a request to another host.
    </>
  );
}
