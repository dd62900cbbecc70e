import { useState } from 'react';
import { actionText } from '../../../contract/fault-words.ts';
import type { TriedMessageView, TryView } from '../../../contract/faults.ts';
import { Badge } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDateTime, formatDuration, plural, upperFirst } from '../../lib/format.ts';
import type { Tone } from '../../lib/words/tone.ts';
import css from './tries-panel.module.css';

const STATE_TONES: Readonly<Record<TriedMessageView['state'], Tone>> = { stored: 'ok', waiting: 'warn', lost: 'bad' };

/** Messages that were retried or are not stored, and the tries over time of the chosen one. */
export function TriesPanel({ messages }: { messages: readonly TriedMessageView[] }) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = messages.find(({ messageId }) => messageId === chosenId) ?? mostTried(messages);
  return (
    <div className={css.tries}>
      <ul className={css.messages} aria-label="Messages with retries or without a row">
        {messages.map((message) => (
          <li key={message.messageId}>
            <button
              type="button"
              className={css.message}
              aria-pressed={message === chosen}
              onClick={() => setChosenId(message.messageId)}
            >
              <span className="mono ellipsis" title={message.messageId}>
                <Text ltr>{message.messageId}</Text>
              </span>
              <span className="muted nowrap">{plural(message.tries.length + message.more, 'try', 'tries')}</span>
              <Badge small tone={STATE_TONES[message.state]}>
                {message.state}
              </Badge>
            </button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && <Waterfall message={chosen} />}
    </div>
  );
}

/** The newest message with the most tries, because it is the most informative. */
function mostTried(messages: readonly TriedMessageView[]): TriedMessageView | undefined {
  const triesOf = ({ tries, more }: TriedMessageView): number => tries.length + more;
  return messages.reduce<TriedMessageView | undefined>(
    (most, one) => (most === undefined || triesOf(one) > triesOf(most) ? one : most),
    undefined,
  );
}

/** Each try as a bar at its time, with the wait before it. */
function Waterfall({ message }: { message: TriedMessageView }) {
  const { tries, more, storedTimes, messageId } = message;
  const from = tries[0]?.at ?? 0;
  const to = Math.max(from + 1, ...tries.map(({ at, tookMs }) => at + tookMs));
  // Within the lane, and with room for the narrowest bar at its end.
  const place = (ms: number): string => `calc((100% - 19px) * ${(ms / (to - from)).toFixed(5)})`;
  return (
    <div className={css.waterfall}>
      <table>
        <caption>
          <span className="mono">
            <Text ltr max={60}>
              {messageId}
            </Text>
          </span>
          <span className="muted">
            {storedTimes === 0 ? 'not in the store' : `in the store ${plural(storedTimes, 'time')}`}
          </span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Try</th>
            <th scope="col">Wait</th>
            <th scope="col" className={css.lane}>
              Time, {formatDuration(to - from)}
            </th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {tries.map((one, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: tries only grow at the end
            <tr key={i}>
              <th scope="row" title={formatDateTime(one.at)}>
                {i + 1}
                {one.retryCount !== null && <span className="muted"> ({one.retryCount})</span>}
              </th>
              <td className="nowrap">{one.waitMs === null ? '' : formatDuration(one.waitMs)}</td>
              <td className={css.lane} aria-hidden="true">
                {one.waitMs !== null && (
                  <i
                    className={css.gap}
                    style={{ left: place(one.at - from - one.waitMs), width: place(one.waitMs) }}
                  />
                )}
                <i
                  className={cx(css.bar, css[barOf(one)])}
                  style={{ left: place(one.at - from), width: place(one.tookMs) }}
                />
              </td>
              <td className={css.result}>{resultText(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className="muted">{plural(more, 'more try', 'more tries')} not shown.</p>}
    </div>
  );
}

function barOf({ taken, ending, status }: TryView): 'ok' | 'warn' | 'bad' | 'open' {
  if (ending === 'open') return 'open';
  if (ending === 'answered' && status === 200) return taken ? 'ok' : 'warn';
  return ending === 'client_left' ? 'warn' : 'bad';
}

function resultText({ ending, status, fault, taken, tookMs }: TryView): string {
  const took = tookMs >= 50 ? ` after ${formatDuration(tookMs)}` : '';
  const stored = taken && (fault !== null || ending !== 'answered') ? ', stored' : '';
  return `${endText(ending, status, fault)}${took}${stored}`;
}

function endText(ending: TryView['ending'], status: number | null, fault: TryView['fault']): string {
  switch (ending) {
    case 'open':
      return 'Being answered';
    case 'client_left':
      return 'The client left';
    case 'closed':
      return 'Closed without an answer';
    case 'reset':
      return 'Reset';
    case 'answered':
      if (fault?.kind === 'status') return upperFirst(actionText(fault));
      return fault === null ? `${status}` : `${status}, ${actionText(fault)}`;
  }
}
