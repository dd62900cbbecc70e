/** The messages between the three processes of a kill run, and the receiver's answers. */
import { crc32 } from 'node:zlib';

export const WRITE_KEY = 'wk_kill';
/**
 * Shared secrets. The config has the first; runs that change secrets use them in turn. The last two characters identify
 * each.
 */
export const SECRETS = ['shared-secret-of-the-kill-run-0a', 'another-secret-1b', 'a-third-secret-2c'] as const;
/** A header that names the life of `serve` that sent a request. The config is written again for each start. */
export const LIFE_HEADER = 'X-Life';
/** Paths of the receiver. A webhook's slot is its place here, from 1. */
export const PATHS = ['/one', '/two'] as const;
/** Path of a third webhook, which is off. Only replays go there. */
export const REPLAY_PATH = '/replayed';
export const REPLAY_SLOT = PATHS.length + 1;

export type ToProducer = { readonly type: 'stop' };
export type FromProducer =
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly sent: number; readonly acknowledged: number; readonly otherAnswers: number };

export type ToReceiver = { readonly type: 'stop' };
export type FromReceiver =
  | { readonly type: 'port'; readonly port: number }
  /** `halfRequests` arrived without their whole body, because their sender was killed while writing. */
  | { readonly type: 'done'; readonly badSignatures: number; readonly halfRequests: number };

/** One line of the receiver's log. */
export interface Arrival {
  readonly life: number;
  readonly slot: number;
  readonly messageId: string;
  /** 0 when the connection was reset instead. */
  readonly status: number;
  readonly bytes: number;
}

export const arrivalLine = ({ life, slot, messageId, status, bytes }: Arrival): string =>
  `${life} ${slot} ${messageId} ${status} ${bytes}\n`;

export function readArrival(line: string): Arrival {
  const [life, slot, messageId, status, bytes] = line.split(' ');
  return {
    life: Number(life),
    slot: Number(slot),
    messageId: messageId!,
    status: Number(status),
    bytes: Number(bytes),
  };
}

export interface PlannedAnswer {
  readonly status: number;
  readonly delayMs: number;
}

/**
 * The answer to a message, mostly 200. Of 100 messages, both webhooks answer 500 twice to 10, reset 3 once, and answer
 * 5 slowly (but soon enough to end between two kills). The second webhook fails the first try of 20 more. The message's
 * id decides, so that every run has every kind. `tries` counts from 1.
 */
export function plannedAnswer(messageId: string, slot: number, tries: number): PlannedAnswer {
  const chance = crc32(messageId) % 100;
  if (chance < 10) return { status: tries <= 2 ? 500 : 200, delayMs: 0 };
  if (chance < 13) return { status: tries === 1 ? 0 : 200, delayMs: 0 };
  if (chance < 18) return { status: 200, delayMs: 20 + 20 * (chance - 13) };
  if (chance < 38 && slot === 2) return { status: tries === 1 ? 500 : 200, delayMs: 0 };
  return { status: 200, delayMs: 0 };
}
