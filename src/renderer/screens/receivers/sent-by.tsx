/** Who sent a request: a link to the attempt, or why there is none. */
import type { HitAttempt, HitSender } from '../../../contract/receivers.ts';
import { Text } from '../../components/text.tsx';
import { formatRoute } from '../../stores/route.ts';
import { SENDER_WORDS } from './words.ts';

export function SentBy({ sender }: { sender: HitSender }) {
  return sender.by === 'attempt' ? (
    <AttemptLink attempt={sender.attempt} />
  ) : (
    <span className="muted">{SENDER_WORDS[sender.by]}</span>
  );
}

/** `Attempt 2 of Order Completed to CRM sync`, with the name that the webhook had at the time. */
function AttemptLink({ attempt: { id, messageId, type, name, number, webhookName, url } }: { attempt: HitAttempt }) {
  return (
    <a href={formatRoute({ screen: 'live', messageId, tab: 'attempts', full: false, attempt: id })} title={url}>
      {number === null ? 'A replay of ' : `Attempt ${number} of `}
      <Text max={80}>{name === '' ? type : name}</Text>
      {' to '}
      <Text max={80}>{webhookName === '' ? url : webhookName}</Text>
    </a>
  );
}
