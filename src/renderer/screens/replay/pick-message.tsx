import { PickRecent } from '../../message/pick-recent.tsx';
import { formatRoute } from '../../stores/route.ts';

const EVERY = {};

export function PickMessage() {
  return (
    <PickRecent
      title="Pick a message to replay."
      lead="The newest messages. Any other one can be opened in Replay from the live stream."
      filter={EVERY}
      none="No message has arrived yet."
      row={(id, className, inside) => (
        <a className={className} href={formatRoute({ screen: 'replay', messageId: id })}>
          {inside}
        </a>
      )}
    />
  );
}
