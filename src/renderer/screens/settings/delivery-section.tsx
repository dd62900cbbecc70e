import { Fragment } from 'react';
import type { ReceiverListenerView } from '../../../contract/receivers.ts';
import { Button } from '../../components/button.tsx';
import factsCss from '../../components/facts.module.css';
import { cx } from '../../lib/cx.ts';
import { plural } from '../../lib/format.ts';
import { PROFILE_WORDS } from '../../lib/profiles.ts';
import { ruleFacts } from '../../lib/rule-words.ts';
import { useRecords } from '../../stores/records.ts';
import { navigate } from '../../stores/route.ts';
import { Card } from './parts.tsx';
import css from './settings.module.css';

/** Facts only. They are set on the linked screens. */
export function DeliverySection() {
  return (
    <>
      <RulesFacts />
      <ReceiversFacts />
    </>
  );
}

function RulesFacts() {
  const destination = useRecords((state) => state.destination);
  const webhooks = useRecords((state) => state.webhooks);
  if (destination === undefined) return null;
  const on = webhooks.filter(({ enabled }) => enabled).length;
  const facts: ReadonlyArray<readonly [string, string]> = [
    ['Webhooks', webhooks.length === 0 ? 'none yet' : `${on} of ${plural(webhooks.length, 'webhook')} on`],
    ['Delivery', destination.enabled ? (destination.paused ? 'paused by you' : 'running') : 'the destination is off'],
    ['Profile', PROFILE_WORDS[destination.profile].name],
    ...ruleFacts(destination).filter(([name]) => name !== 'Profile'),
  ];
  return (
    <Card
      title="Delivery"
      note="what the rules are now"
      actions={
        <>
          <Button size="sm" onClick={() => navigate({ screen: 'webhooks', slot: null })}>
            Open Webhooks
          </Button>
          <Button size="sm" onClick={() => navigate({ screen: 'webhooks', slot: null, rules: true })}>
            Edit rules
          </Button>
        </>
      }
    >
      <Facts facts={facts} />
    </Card>
  );
}

function ReceiversFacts() {
  const receivers = useRecords((state) => state.receivers);
  if (receivers === undefined) return null;
  return (
    <Card
      title="Test receivers"
      actions={
        <Button size="sm" onClick={() => navigate({ screen: 'receivers', receiverId: null })}>
          Open Receivers
        </Button>
      }
    >
      <Facts
        facts={[
          ['HTTP', listenerText(receivers.http)],
          ['HTTPS', listenerText(receivers.https)],
        ]}
      />
    </Card>
  );
}

const LISTENER_WORDS: Readonly<Record<ReceiverListenerView['state'], string>> = {
  off: 'off',
  starting: 'starting',
  listening: 'listening',
  port_in_use: 'the port is in use',
  failed: 'not listening',
};

const listenerText = ({ state, port }: ReceiverListenerView): string =>
  state === 'off' ? 'off' : `port ${port}, ${LISTENER_WORDS[state]}`;

export function Facts({ facts }: { facts: ReadonlyArray<readonly [name: string, fact: string]> }) {
  return (
    <dl className={cx(factsCss.facts, css.facts)}>
      {facts.map(([name, fact]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
