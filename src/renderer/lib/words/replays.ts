/** Replays of many messages in words. Pure. */
import type { ReplayOrder } from '../../../contract/replay-limits.ts';
import type { ReplayJobView } from '../../../contract/replays.ts';
import { formatCount, plural } from '../format.ts';

/** `Replay 3 messages to 3 webhooks?` */
export const bulkQuestion = (messages: number, webhooks: number): string =>
  `Replay ${plural(messages, 'message')} to ${plural(webhooks, 'webhook')}?`;

/** What will be done, for the dialog. */
export const bulkManner = (messages: number, rate: number, order: ReplayOrder, newTimestamp: boolean): string =>
  messages === 1
    ? `It is sent as it was${newTimestamp ? ', with a new timestamp' : ''}.`
    : `They are sent as they were${newTimestamp ? ' with new timestamps' : ''}, ${orderWords[order]}, ${formatCount(rate)} per second.`;

const orderWords: Record<ReplayOrder, string> = { oldest: 'in the order received', newest: 'newest first' };

type Counts = Pick<ReplayJobView, 'begun' | 'removed' | 'damaged' | 'total'>;

/** Messages that the job has looked at. */
export const handled = ({ begun, removed, damaged }: Counts): number => begun + removed + damaged;

/** `312 of 500` */
export const progressText = (job: Counts): string => `${formatCount(handled(job))} of ${formatCount(job.total)}`;

/** `2 were removed meanwhile. 1 could not be read.` Empty when every message was replayed. */
export function leftOutText({ removed, damaged }: Counts): string {
  const parts = [
    removed > 0 && `${plural(removed, 'message was', 'messages were')} removed meanwhile.`,
    damaged > 0 && `${plural(damaged, 'message', 'messages')} could not be read.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** The head of what became of a job. */
export function jobTitle(job: ReplayJobView): string {
  switch (job.state) {
    case 'running':
      return `Replaying ${plural(job.total, 'message')}: ${progressText(job)}.`;
    case 'done':
      return `Replayed ${plural(job.begun, 'message')} to ${plural(job.targets, 'webhook')}`;
    case 'stopped':
      return `Replay stopped after ${progressText(job)} messages`;
    case 'failed':
      return `Replay failed after ${progressText(job)} messages.`;
    case 'interrupted':
      return `Replay interrupted after ${progressText(job)} messages.`;
  }
}

/** What follows the head; may be empty. */
export function jobText(job: ReplayJobView): string {
  const why = job.state === 'interrupted' ? 'Hookbench ended meanwhile. The rest was not sent.' : (job.problem ?? '');
  return [why, leftOutText(job)].filter((part) => part !== '').join(' ');
}
