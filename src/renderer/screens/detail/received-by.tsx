/** Which receivers of the lab got what an attempt sent, each with a link to its request. */
import { useEffect, useState } from 'react';
import { ContractError } from '../../../contract/errors.ts';
import type { ReceivedAttempt } from '../../../contract/receivers.ts';
import type { AttemptView } from '../../../contract/values.ts';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { call } from '../../platform/connect.ts';
import { useRecords } from '../../stores/records.ts';
import { formatRoute } from '../../stores/route.ts';
import css from './attempt-details.module.css';

/** Nothing for an attempt that no receiver got. More than one receiver got an attempt that followed redirects. */
export function ReceivedBy({ attempt }: { attempt: AttemptView }) {
  const received = useReceived(attempt);
  if (received === 'failed')
    return <p className={cx('muted small', css.received)}>Could not read which receiver got it.</p>;
  return received.map((one, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the requests stand in the order sent, and one receiver can have two
    <One key={i} received={one} isOpen={attempt.outcome === null} />
  ));
}

function One({ received: { receiver, name, hit }, isOpen }: { received: ReceivedAttempt; isOpen: boolean }) {
  if (hit !== null)
    return (
      <p className={cx('small', css.received)}>
        <a href={formatRoute({ screen: 'receivers', receiverId: receiver, hit })}>
          Received by <Text max={80}>{name}</Text>
        </a>
      </p>
    );
  // It may be on the wire.
  if (isOpen) return null;
  return (
    <p className={cx('muted small', css.received)}>
      Sent to the receiver <Text max={80}>{name}</Text>, whose log does not have the request.
    </p>
  );
}

/** Asks again whenever an open attempt is read again, when it has ended, and after a lost connection. */
function useReceived(attempt: AttemptView): readonly ReceivedAttempt[] | 'failed' {
  const [received, setReceived] = useState<readonly ReceivedAttempt[] | 'failed'>([]);
  const isConnected = useRecords((state) => state.connection === 'open');
  const { id, outcome } = attempt;
  const open = outcome === null ? attempt : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: open and isConnected say that there is something to ask for
  useEffect(() => {
    let isStale = false;
    const put = (next: readonly ReceivedAttempt[] | 'failed') => {
      if (!isStale) setReceived(next);
    };
    call('receivers.ofAttempt', { attempt: id }).then(put, (error: unknown) =>
      put(error instanceof ContractError && error.code === 'receivers_off' ? [] : 'failed'),
    );
    return () => {
      isStale = true;
    };
  }, [id, open, isConnected]);
  return received;
}
