/** The values of the contract, in plain JSON. Times are epoch milliseconds unless a name says otherwise. */

import type {
  Cells,
  MessageState,
  MessageType,
  Origin,
  Outcome,
  ReplayEnd,
  SentBody,
} from '../core/model/vocabulary.ts';
import type { ProfileNameView, RulesView, ScheduleView } from './rules.ts';
import type { CertificateView, HeaderView } from './webhook-view.ts';

export type {
  MessageState as MessageStateName,
  MessageType as CallTypeName,
  Outcome as OutcomeName,
} from '../core/model/vocabulary.ts';
export type { AuthorityView, HttpsView, ListenerView, StatusView, StorageView } from './status-view.ts';
export type { CertificateView, HeaderView, RecentAttempt, SeenCertificate, WebhookView } from './webhook-view.ts';

export interface NoteView {
  code: string;
  field?: string;
  detail?: string;
}

/** One row of the list. */
export interface MessageRow {
  /** Row id; grows with arrival. */
  id: number;
  messageId: string;
  sourceId: number | null;
  origin: Origin;
  type: MessageType;
  /** Event, page name, trait keys …, as the list shows it. */
  name: string;
  userId: string | null;
  anonymousId: string | null;
  state: MessageState;
  /** Stable code of why it was rejected or not selected. */
  reason: string | null;
  reasonDetail: string | null;
  receivedAt: number;
  /** Bytes of the call as compact JSON. */
  size: number;
  round: number;
  /** Retry-clock time of the next round, or null. */
  nextDueAt: number | null;
  /** Retry-clock time of the first attempt, or null. */
  firstAttemptAt: number | null;
  /** Retry-clock time after which no attempt starts, or null. */
  windowEndsAt: number | null;
  /** Wall time of the final state, or null. */
  finishedAt: number | null;
  /** Five letters of the legend `CELLS`, one for each webhook slot. */
  cells: Cells;
  /** How often the same messageId came again within 24 h. */
  repeats: number;
  /** How many replays were made of it. */
  replays: number;
  notes: NoteView[];
}

export interface PhasesView {
  queueMs: number | null;
  dnsMs: number | null;
  tcpMs: number | null;
  tlsMs: number | null;
  certificateMs: number | null;
  sendMs: number | null;
  waitMs: number | null;
  readMs: number | null;
}

/** One attempt without its bodies. */
export interface AttemptView {
  id: number;
  /** Row id of the message. */
  messageId: number;
  /** Null for the engine's own attempts. */
  replayId: number | null;
  webhookId: number;
  slot: number;
  webhookName: string;
  url: string;
  /** The last URL that redirects led to; null when none was followed. */
  redirectedTo: string | null;
  round: number;
  /** Wall time. */
  startedAt: number;
  /** Retry-clock time of the start: what the chart draws. */
  clockAt: number;
  /** Null while it is open. */
  outcome: Outcome | null;
  reason: string | null;
  detail: string | null;
  status: number | null;
  statusText: string;
  durationMs: number | null;
  phases: PhasesView | null;
  requestHeaders: HeaderView[];
  responseHeaders: HeaderView[];
  responseBytes: number;
  responseCut: boolean;
  certificate: CertificateView | null;
}

/** The webhooks in force for attempts with an id above `afterAttempt`, until the next line-up. */
export interface LineUpView {
  afterAttempt: number;
  /** By slot. */
  webhooks: Array<{ id: number; slot: number; name: string; enabled: boolean }>;
}

/** A message's attempts: those of its rounds, and those of replays. */
export interface TriedView {
  attempts: AttemptView[];
  replays: ReplayView[];
  /**
   * The line-ups of the engine's own attempts, in order. Empty when the attempts are older than the record of line-ups.
   */
  lineUps: LineUpView[];
}

export interface AttemptBodies {
  /** The response body kept, at most 64 KiB, as base64. */
  responseBase64: string;
}

export interface ReplayView {
  id: number;
  /** Row id of the message. */
  messageId: number;
  createdAt: number;
  finishedAt: number | null;
  /** A target that is no webhook has a negative id: -1 is the first of this replay. */
  webhookIds: number[];
  sent: SentBody;
  signed: boolean;
  /** Retry-clock time after which no attempt begins; null for a replay that tries each target once. */
  retryUntil: number | null;
  /** Retry-clock time of its next round, while it waits for one. */
  nextAt: number | null;
  /** Null while it runs, and for replays from before Hookbench recorded it. */
  ended: ReplayEnd | null;
  /** In several rounds a target has several attempts, in the order of their beginning. */
  attempts: AttemptView[];
}

/** What became of some failed calls of a sync that were to be replayed. All counts together are all of them. */
export interface FailedReplays {
  /** Replays that were stored and are under way. */
  begun: number;
  /** Their messages were removed or erased. */
  removed: number;
  /** Their messages were rejected, so nothing was ever to be delivered. */
  withoutBody: number;
  /** Their delivered bodies are damaged. */
  damaged: number;
  /** Calls of an old sync, which keeps only its counts. Counted by the first command. */
  unlisted: number;
  /** `after` of the command that goes on; null at the end. */
  next: number | null;
}

/** How far a retry of everything that waits came. */
export interface RetriedAll {
  /** Messages that were made due by this command. */
  made: number;
  /** `before` of the command that goes on; null at the end. */
  next: number | null;
}

export interface MessageDetail extends TriedView {
  message: MessageRow;
  sourceName: string | null;
  /** The normalised call as JSON text, or null when the request's bytes were not a call. */
  callJson: string | null;
  /** The delivered bytes as text, or null when there are none. */
  deliveredJson: string | null;
  /** Lowercase hex HMAC-SHA1 of the delivered bytes with the current secret, or null without one. */
  signature: string | null;
  request: {
    id: number;
    method: string;
    path: string;
    status: number;
    receivedAt: number;
    decodedBytes: number;
    encoding: string | null;
    headers: HeaderView[];
    writeKey: string | null;
  } | null;
  /** Its rounds: past, due and planned; null when it will never have one. */
  schedule: ScheduleView | null;
}

/** The request that brought a message, byte for byte. */
export interface RawRequestView {
  method: string;
  /** Request target as received. */
  path: string;
  /** As stored, with cookies and keys replaced by their length. */
  headers: HeaderView[];
  /** The body as it came over the wire, still encoded. */
  bodyBase64: string;
  encoding: string | null;
  /** The decoded body. Null when it was not encoded or could not be decoded. */
  decodedBase64: string | null;
  /** Place of the message in the batch, from 0. */
  position: number;
  /**
   * Calls of suppressed or erased users that were taken out of the bytes: a `null` stands in the place of each, or
   * nothing is left. 0 when the bytes are those that came.
   */
  cutCalls: number;
  /** Where the decoded body stops being JSON: from 0, and from 1. Null when it is JSON, or not text. */
  fault: { offset: number; line: number; column: number } | null;
}

export interface SourceView {
  id: number;
  name: string;
  writeKey: string;
  kind: 'server' | 'web' | 'mobile';
  enabled: boolean;
  webhooks: boolean;
  /** Names of track events that do not go to Webhooks, in their order. */
  eventsOff: string[];
  createdAt: number;
}

/** A track event of a source, with what is stored of it. */
export interface SourceEvent {
  name: string;
  /** Stored calls with this event, not counting rejected ones and repeats of a messageId. */
  received: number;
  /** Calls that were not selected because it was off. */
  off: number;
  /** When the newest call came; null when there is none. */
  lastAt: number | null;
  /** False for a name that was cut: it has no switch. */
  whole: boolean;
}

export interface SourceEvents {
  /** Switched-off events first, then by calls received. */
  events: SourceEvent[];
  /** How many further events there are. */
  more: number;
}

export interface DestinationView extends RulesView {
  enabled: boolean;
  /** True while the user has paused all delivery. */
  paused: boolean;
  /** The profile that the rules equal, or `own`. */
  profile: ProfileNameView | 'own';
  /** The rounds that these rules give a message that always fails, without jitter. */
  schedule: ScheduleView;
  /** The file of extra authorities. `problem` says why it is not used. */
  caFile: { path: string; certificates: number; problem: string | null } | null;
  /** `last2` is empty for a secret under 12 characters. */
  secret: { state: 'none' } | { state: 'set'; last2: string; length: number } | { state: 'unreadable' };
}

export interface ClockView {
  /** 1, 10, 60 or 240. */
  speed: number;
  /** True while it is paused at `clockAt`. */
  paused: boolean;
  /**
   * Wall time and retry-clock time of the same instant. At another wall time, the retry clock shows `clockAt + (wall -
   * wallAt) * speed`.
   */
  wallAt: number;
  clockAt: number;
}

/** How ingest accepts calls. */
export interface IngestSettingsView {
  mode: 'segment' | 'strict';
  /** The mode in force. Until the user saves it, the start command may override it for this run. */
  acceptAnyKey: boolean;
  /** Whether a messageId that repeats within 24 h at the same source is stored only once. */
  dedupe: boolean;
  /** Whether every timestamp is corrected by the time of sending, as Segment does, or only those from a wrong clock. */
  correctEveryTimestamp: boolean;
  /** The saved port, which the next start listens on by default. */
  port: number;
}

/** One attempt of the recorded history as another profile would have judged it. */
export interface JudgedAttempt {
  attemptId: number;
  round: number;
  slot: number;
  recorded: Outcome;
  /** Null when unknown: the attempt would have had more time, or its redirect would have been followed. */
  under: Outcome | null;
  why: string | null;
}

/** How one message's history would have gone under another profile, as far as the records can tell. */
export interface ProfileComparison {
  profile: ProfileNameView;
  /** How the requests would differ: one line for each header, the body, the limit. */
  requests: Array<{ what: string; recorded: string; under: string }>;
  attempts: JudgedAttempt[];
  /** The round after which the histories differ, or null when they do not. */
  partsAfterRound: number | null;
  /** What would have followed, in words. */
  verdict: string;
  /** The planned starts of the rounds under that profile, counted from the first attempt. */
  schedule: ScheduleView;
}
