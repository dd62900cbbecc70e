import { formatAgo, formatIso } from '../lib/format.ts';
import { useNow } from '../stores/ticker.ts';

/** `4 s ago`, updated once a second. Only for secondary places. */
export function Ago({ at, prefix = '' }: { at: number; prefix?: string }) {
  const now = useNow();
  return (
    <time dateTime={formatIso(at)} title={formatIso(at)}>
      {prefix}
      {formatAgo(at, now)}
    </time>
  );
}
