import type { DestinationView, WebhookView } from '../../../../contract/values.ts';
import { plural } from '../../../lib/format.ts';
import { useRecords } from '../../../stores/records.ts';
import { Facts } from '../delivery-section.tsx';
import { keyText } from '../key-words.ts';
import { Card } from '../parts.tsx';

/** How the shared secret and static headers are kept here. */
export function SecretsCard() {
  const destination = useRecords((state) => state.destination);
  const webhooks = useRecords((state) => state.webhooks);
  const workspace = useRecords((state) => state.workspace);
  const authority = useRecords((state) => state.status?.https.authority ?? null);
  if (destination === undefined || workspace === null) return null;
  return (
    <Card title="Secrets" note="sealed in the store">
      <Facts
        facts={[
          ['Shared secret', secretText(destination)],
          ['Static headers', headersText(webhooks)],
          ['Sealed with', 'AES-256-GCM and a key of 256 bits that belongs to this workspace.'],
          ['Its key', keyText(workspace)],
          ...(authority === null
            ? []
            : [['Local authority', 'The key of the https certificate is sealed in the same way.'] as const]),
        ]}
      />
      <p className="muted small">
        A secret is shown as its length, and is never in the log. Who has both the key and the store can open it.
      </p>
    </Card>
  );
}

function secretText({ secret }: DestinationView): string {
  if (secret.state === 'none') return 'None, so requests are not signed.';
  return secret.state === 'set' ? 'Set and sealed.' : 'Sealed with another key, so it cannot be read.';
}

function headersText(webhooks: readonly WebhookView[]): string {
  const headers = webhooks.flatMap((webhook) => webhook.headers);
  if (headers.length === 0) return 'None.';
  const shown = headers.filter((header) => 'value' in header).length;
  return `${plural(headers.length, 'value')} sealed${shown === 0 ? '.' : `, ${shown} of them shown in clear because you chose so.`}`;
}
