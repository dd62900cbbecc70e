/** The receivers lab: local endpoints that misbehave on purpose. Arguments of its commands, and its views. */
import { z } from 'zod';
import { command, gives } from './command.ts';
import { RECEIVER_LIMITS } from './receiver-limits.ts';
import type { HeaderView, WebhookView } from './webhook-view.ts';

z.config({ jitless: true });

/** The last part of a receiver's path: `/r/<id>`. */
export const RECEIVER_ID_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

export const REDIRECT_STATUSES = [301, 302, 303, 307, 308] as const;
export const INVALID_ANSWERS = ['banner', 'bad_status', 'two_lengths', 'bad_header'] as const;
export const DRIP_PARTS = ['head', 'body'] as const;
export const MISMATCH_ACTIONS = ['reject', 'mark'] as const;
export const CHECK_SECRETS = ['shared', 'wrong'] as const;

/** Headers that Node refuses, or that would break the framing that it adds. */
const FRAMING = /^(content-length|transfer-encoding|connection|keep-alive|upgrade|trailer)$/i;
const headerName = z
  .string()
  .max(256)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'A header name has letters, digits and hyphens only.')
  .refine((name) => !FRAMING.test(name), 'This header is set by the receiver itself.');
const headerValue = z
  .string()
  .max(8_192)
  .regex(/^[\t\x20-\x7e\xa0-\xff]*$/, 'A header value has no line breaks or control characters.');
const status = z.number().int().min(100).max(999);

/** What one step answers. */
export const receiverResponse = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status,
    headers: z
      .array(z.strictObject({ name: headerName, value: headerValue }))
      .max(50)
      .default([]),
    body: z.string().max(RECEIVER_LIMITS.bodyCharacters).default(''),
  }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.union(REDIRECT_STATUSES.map((code) => z.literal(code))).default(302),
    /** A path or a URL. */
    location: headerValue.min(1).max(4_096),
  }),
  /** Accepts the request, sends nothing and closes after `holdMs`. */
  z.strictObject({ kind: z.literal('hang'), holdMs: z.number().int().min(1).max(RECEIVER_LIMITS.holdMs) }),
  /** Resets the connection before the answer. */
  z.strictObject({ kind: z.literal('reset') }),
  /** Resets the connection in the middle of the headers or of the body. */
  z.strictObject({ kind: z.literal('reset_during'), part: z.enum(DRIP_PARTS).default('head') }),
  /** Closes the connection cleanly, without an answer. */
  z.strictObject({ kind: z.literal('close') }),
  /** Sends the head or the body byte by byte. */
  z.strictObject({
    kind: z.literal('drip'),
    part: z.enum(DRIP_PARTS).default('body'),
    status: status.min(200).default(200),
    bytesPerSecond: z.number().int().min(1).max(RECEIVER_LIMITS.bytesPerSecond),
  }),
  /** A body that never ends, sent as fast as the client reads it. */
  z.strictObject({ kind: z.literal('endless'), status: status.min(200).default(200) }),
  z.strictObject({
    kind: z.literal('huge_headers'),
    bytes: z.number().int().min(1_024).max(RECEIVER_LIMITS.headerBytes).default(65_536),
  }),
  /** Bytes that are not an HTTP answer. */
  z.strictObject({ kind: z.literal('invalid_http'), variant: z.enum(INVALID_ANSWERS).default('banner') }),
  /** 429 with Retry-After: seconds, a date, or any text. */
  z.strictObject({ kind: z.literal('throttle'), retryAfter: headerValue.min(1).max(100) }),
]);
export type ReceiverResponse = z.output<typeof receiverResponse>;
export type ReceiverResponseKind = ReceiverResponse['kind'];

export const receiverStep = z.strictObject({
  response: receiverResponse,
  /** `forever`: the steps after it are never reached. */
  times: z.union([z.number().int().min(1).max(RECEIVER_LIMITS.times), z.literal('forever')]).default(1),
  /** Milliseconds between the whole request and the answer. */
  delayMs: z.number().int().min(0).max(RECEIVER_LIMITS.delayMs).default(0),
});
export type ReceiverStep = z.output<typeof receiverStep>;

export const signatureCheck = z.strictObject({
  on: z.boolean().default(true),
  /** `reject` replies 401, `mark` answers as programmed and notes the verdict. */
  onMismatch: z.enum(MISMATCH_ACTIONS).default('reject'),
  /** The Webhooks destination's secret, or one that never matches. */
  secret: z.enum(CHECK_SECRETS).default('shared'),
});
export type SignatureCheck = z.output<typeof signatureCheck>;

const id = z.string().regex(RECEIVER_ID_PATTERN, 'Use lower-case letters, digits and hyphens, at most 64.');
const steps = z.array(receiverStep).min(1).max(RECEIVER_LIMITS.steps);
const name = z.string().trim().min(1).max(100);
const port = z.number().int().min(0).max(65_535);

/** One receiver in a file: an entry of the config file, and the input of `hookbench receive --program`. */
export const receiverEntry = z.strictObject({
  id,
  /** Default: the id. */
  name: name.optional(),
  /** Over HTTPS with a self-signed certificate. */
  tls: z.boolean().default(false),
  steps,
  check: signatureCheck.default({ on: true, onMismatch: 'reject', secret: 'shared' }),
});
export type ReceiverEntry = z.output<typeof receiverEntry>;

const idsDiffer = (entries: ReadonlyArray<{ readonly id: string }>): boolean =>
  new Set(entries.map((entry) => entry.id)).size === entries.length;
export const receiverEntries = z
  .array(receiverEntry)
  // The built-in ones can be edited too.
  .max(RECEIVER_LIMITS.receivers + RECEIVER_LIMITS.builtIn)
  .refine(idsDiffer, 'Two receivers have the same id.');

/** The `receivers` key of the config file. */
export const receiversConfig = z.strictObject({
  /** 0 takes any free one. */
  port: port.optional(),
  httpsPort: port.optional(),
  entries: receiverEntries.optional(),
});
export type ReceiversConfig = z.output<typeof receiversConfig>;

/** Without `id` a new receiver, whose id is made from its name. */
export const receiverInput = z.strictObject({
  id: id.optional(),
  name,
  tls: z.boolean(),
  steps,
  check: signatureCheck,
});

/**
 * - `verified`: X-Signature is the digest of the raw bytes
 * - `mismatch`: it is another one
 * - `unsigned`: there is a secret and no X-Signature
 * - `no_secret`: there is no secret to check with
 */
export type SignatureVerdict = 'verified' | 'mismatch' | 'unsigned' | 'no_secret';

/** How a request was answered. */
export interface HitOutcome {
  /** Null when no complete status line was sent. */
  status: number | null;
  /** What answered: a step of the program, `signature` for a 401, `limit` for a body that is too large. */
  answer: ReceiverResponseKind | 'signature' | 'limit';
}

/** One request of the log. Ids grow with arrival over all receivers. */
export interface HitView extends HitOutcome {
  id: number;
  receiver: string;
  /** Wall time. */
  at: number;
  method: string;
  path: string;
  /** The call's type, or null when the body is not a call. */
  type: string | null;
  /** The call's name as the list of messages shows it. */
  name: string;
  /** Null while the check is off. */
  verdict: SignatureVerdict | null;
  /** False when the raw bytes verify but the parsed and re-serialised body would not. Null when it was not checked. */
  reserialises: boolean | null;
  bodyBytes: number;
  /** Time from the whole request to the end of the answer; null while it is being answered. */
  durationMs: number | null;
  /** True when the other side disconnected before the answer was complete. */
  gone: boolean;
}

export interface HitDetail extends HitView {
  /** As received, with the values of hidden static headers replaced by their length. */
  headers: HeaderView[];
  /** At most 64 KiB of it. */
  bodyBase64: string;
  bodyCut: boolean;
  sender: HitSender;
}

/** The attempt that sent a request, with the name and URL that its webhook had at the time. */
export interface HitAttempt {
  id: number;
  /** Row id of the message. */
  messageId: number;
  type: string;
  name: string;
  /** Which of the message's own attempts, from 1 by round and slot. Null for an attempt of a replay. */
  number: number | null;
  webhookId: number;
  webhookName: string;
  url: string;
}

/**
 * - `attempt`: this attempt sent it
 * - `removed`: an attempt whose message is no longer stored
 * - `elsewhere`: another program than this Hookbench
 * - `unknown`: older than what is remembered about attempts
 */
export type HitSender = { by: 'attempt'; attempt: HitAttempt } | { by: 'removed' | 'elsewhere' | 'unknown' };

/** A request that an attempt sent to a receiver. */
export interface ReceivedAttempt {
  receiver: string;
  name: string;
  /** Null when the request is not in the log: it is cleared, too old, or broke off. */
  hit: number | null;
}

export interface RecentHit extends HitOutcome {
  at: number;
}

export interface ReceiverView {
  id: string;
  name: string;
  builtIn: boolean;
  /** True for a built-in receiver that was edited. */
  edited: boolean;
  tls: boolean;
  steps: ReceiverStep[];
  check: SignatureCheck;
  /** Null while the receivers do not listen. */
  url: string | null;
  /** Requests since the start or the last clear. */
  hits: number;
  /** Those that the log still had when the receiver changed last. An erase takes some away. */
  kept: number;
  /** The newest 20, oldest first. */
  recent: RecentHit[];
  /** Which step answers the next request. Both count from 0. */
  position: { step: number; hit: number };
  /** The verdict on the newest request that was checked. */
  verdict: SignatureVerdict | null;
}

/** `off` when they are turned off or when there is no worker to run them. */
export interface ReceiverListenerView {
  state: 'off' | 'starting' | 'listening' | 'port_in_use' | 'failed';
  port: number;
  message: string | null;
  /** Name and process id of the program that has the port, where known. */
  holder: string | null;
}

export interface ReceiversView {
  http: ReceiverListenerView;
  https: ReceiverListenerView;
  entries: ReceiverView[];
}

const none = z.null().optional();
const one = z.strictObject({ id });

/** Commands of the receivers lab; part of `commands`. */
export const receiverCommands = {
  'receivers.list': command(none, gives<ReceiversView>()),
  /** Saving changed steps restarts the sequence. Errors `receiver_not_found`, `too_many_receivers`. */
  'receivers.save': command(receiverInput, gives<ReceiverView>()),
  /** Errors `receiver_not_found`, `receiver_built_in`. */
  'receivers.remove': command(one, gives<null>()),
  /** Restores a built-in receiver. Error `receiver_not_found`. */
  'receivers.reset': command(one, gives<ReceiverView>()),
  /** Makes the first step answer the next request. Errors `receiver_not_found`, `receivers_off`. */
  'receivers.restart': command(one, gives<null>()),
  /** Empties the request log and the counts. Errors as above. */
  'receivers.clear': command(one, gives<null>()),
  /** Newest first, below `before`. Errors as above. */
  'receivers.hits': command(
    z.strictObject({
      id,
      before: z.number().int().positive().optional(),
      limit: z.number().int().min(1).max(RECEIVER_LIMITS.hits),
    }),
    gives<{ rows: HitView[]; kept: number; nextBefore: number | null }>(),
  ),
  /** Errors `hit_not_found`, `hit_of_log_before`. */
  'receivers.hit': command(z.strictObject({ id, hit: z.number().int().positive() }), gives<HitDetail>()),
  /** The requests that an attempt sent to receivers since the start, in the order sent. Error `receivers_off`. */
  'receivers.ofAttempt': command(z.strictObject({ attempt: z.number().int().positive() }), gives<ReceivedAttempt[]>()),
  /**
   * Adds the receiver's URL as a webhook, or returns the webhook that already has it. Errors `too_many_webhooks`,
   * `receivers_off`.
   */
  'receivers.useAsWebhook': command(one, gives<WebhookView>()),
  /**
   * Tries to listen again. When ports are given, listens there and saves them once that works. Error `receivers_off`.
   */
  'receivers.listen': command(
    z.strictObject({ port: port.optional(), httpsPort: port.optional() }),
    gives<ReceiversView>(),
  ),
} as const;
