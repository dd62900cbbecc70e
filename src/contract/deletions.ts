/** Deletion requests: the notices they send, what they erase, and the users they suppress (docs/behaviour.md). */
import { z } from 'zod';
import type { DeletionState, MessageState, NoNoticeReason } from '../core/model/vocabulary.ts';
import { command, gives } from './command.ts';
import { DELETION_LIMITS } from './deletion-limits.ts';
import type { MessageRow } from './values.ts';

export { DELETION_LIMITS } from './deletion-limits.ts';

z.config({ jitless: true });

const id = z.number().int().positive();

/** Exactly as written: spaces and case count. */
export const userIdInput = z.string().min(1).max(DELETION_LIMITS.userIdCharacters);

/** One entry for each line of the input. Duplicates are found, and count once. */
const userIds = z
  .array(userIdInput)
  .min(1, 'Give one or more user ids.')
  .max(DELETION_LIMITS.userIds, 'A request takes at most 10,000 lines.');

export const deletionInput = z
  .strictObject({
    userIds,
    /** Erases the stored messages of these users. It cannot be undone. */
    erase: z.boolean().default(false),
    /** Rejects calls of these users from now on. */
    suppress: z.boolean().default(false),
    /** Also forgets the ids of the request and its notices once every notice has ended. */
    forget: z.boolean().default(false),
  })
  .refine(({ suppress, forget }) => !(suppress && forget), {
    path: ['forget'],
    message: 'A request that suppresses cannot forget: the suppression needs the ids.',
  });
export type DeletionInput = z.input<typeof deletionInput>;

/** A source as a request sees it. One that was removed has calls but no kind, and gets no notice. */
export interface DeletionSource {
  sourceId: number;
  name: string;
  kind: 'server' | 'web' | 'mobile' | null;
  /** Whether Webhooks is on for it: the destination's own switch, and the one of the source. */
  destinationOn: boolean;
}

/** A user at a source, before the request. */
export interface PreviewCell {
  sourceId: number;
  /** Stored calls, without rejected ones and without what Hookbench itself sent about the user. */
  calls: number;
  /** Null when a notice is sent. */
  reason: NoNoticeReason | null;
}

/** Another id in the store that a person may have meant. Nothing is done to it. */
export interface NearId {
  userId: string;
  calls: number;
  differsIn: 'case' | 'spaces' | 'spaces_and_case';
}

export interface PreviewUser {
  userId: string;
  /** Places in the given list, from 1. The first one counts, the others are duplicates. */
  lines: number[];
  calls: number;
  /** Its name trait in the newest identify call, or null. */
  name: string | null;
  /** Most calls first, at most 3. */
  near: NearId[];
  /** Whether it is suppressed already. */
  suppressed: boolean;
  /** In the order of `sources`. */
  cells: PreviewCell[];
  notices: number;
}

export interface PreviewSource extends DeletionSource {
  calls: number;
  notices: number;
}

/** What an erase would take. Counts at the time of the preview. */
export interface EraseCounts {
  messages: number;
  attempts: number;
  replays: number;
  /** Calls of unknown write keys; part of `messages`. */
  heldCalls: number;
  /** Requests in the logs of the receivers. */
  receiverEntries: number;
  /** Audiences and computed traits that these users are in: a user in two of them counts twice. */
  memberships: number;
}

export interface DeletionPreview {
  /** Given lines, duplicates included. */
  lines: number;
  /** Different ids. `ids` = `known` + `near` + `unknown`. */
  ids: number;
  known: number;
  /** Unknown ids that differ only in spaces or case from one that is known. */
  near: number;
  unknown: number;
  duplicates: number;
  /** Every source, in the order in which they were made, then removed ones that have calls. */
  sources: PreviewSource[];
  /** In the order given. Of more than 200 different ids, 200: those without calls first. */
  users: PreviewUser[];
  calls: number;
  /** Calls at sources with the destination on. */
  callsWithDestination: number;
  notices: number;
  /** Users of which an erase would take something. */
  usersErased: number;
  erase: EraseCounts;
}

/** A notice as it would be sent now. */
export interface PlannedNotice {
  /** From 1. */
  position: number;
  userId: string;
  sourceId: number;
  sourceName: string;
  /** The delivered bytes as text, made by the code that sends. */
  body: string;
}

/** What still runs: notices are stored, then messages are erased, then the store is searched for what is left. */
export type DeletionPhase = 'notices' | 'erasing' | 'searching' | 'finished';

/** A request in the list. */
export interface DeletionRow {
  id: number;
  /** Wall time. */
  createdAt: number;
  /** The first id; null once it was forgotten. */
  firstUserId: string | null;
  users: number;
  state: DeletionState;
  phase: DeletionPhase;
  /** `total` = `delivered` + `failed` + `waiting`. */
  notices: { total: number; delivered: number; failed: number; waiting: number };
  /** How many notices are in each state of a message, without states at 0. */
  states: Partial<Record<MessageState, number>>;
  /** Retry-clock time of the next round of a retrying notice, or null. */
  nextDueAt: number | null;
  erase: boolean;
  suppress: boolean;
  forget: boolean;
  /** True once its ids are gone. */
  forgotten: boolean;
  /** Erased messages so far. */
  erasedMessages: number;
}

/** The erasing of a request, while it runs and after it. */
export interface ErasedView extends EraseCounts {
  /** Calls that were cut out of stored requests that also hold calls of other users. */
  cutCalls: number;
  /** Messages looked at, of those that there were when the request was made. */
  progress: { done: number; of: number };
  /** Wall time of its end; null while it runs. */
  finishedAt: number | null;
}

/** A look through the whole store after the erasing. */
export interface SearchView {
  /** Wall time of its end; null while it runs. */
  finishedAt: number | null;
  /** Bytes looked through. */
  bytes: number;
  /**
   * Rows outside of the request, its notices and the suppression list that mention one of the ids: for example calls of
   * other users, or values that an audience keeps of others. Also what rules keep in memory of the erased calls.
   */
  found: number;
  /** Row ids of the first 100 messages that mention one. */
  messages: number[];
  /**
   * Whether free parts of the files were cleared. `next_start`: the store is too large to be rewritten while calls come
   * in, so the next start does it. Until then `found` speaks of rows only: the files may still hold erased bytes.
   */
  files: 'cleared' | 'next_start' | 'not_yet';
}

/** A source of a request. `none` counts users that got no notice. */
export interface DeletionSourceTotals extends DeletionSource {
  notices: number;
  delivered: number;
  failed: number;
  waiting: number;
  none: number;
}

export interface DeletionDetail extends DeletionRow {
  sources: DeletionSourceTotals[];
  /** Null when the request does not erase. */
  erased: ErasedView | null;
  /** Null when the request does not erase. */
  search: SearchView | null;
  /** How many of its users are suppressed now, by whichever request. */
  suppressed: number;
}

/** A user at a source, after the request. */
export interface DeletionCell {
  sourceId: number;
  /** Calls known when the request was made. */
  calls: number;
  /** Why there is no notice; null when there is one. */
  reason: NoNoticeReason | null;
  /** The state that the notice ended in, or is in now; null without a notice, and until it is stored. */
  state: MessageState | null;
  /** The notice itself, as a row of the list; null when there is none or it was removed. */
  message: MessageRow | null;
}

export interface DeletionUser {
  /** From 1: its place among the different ids. */
  position: number;
  /** Null once it was forgotten. */
  userId: string | null;
  /** In the order of the detail's `sources`. */
  cells: DeletionCell[];
  /** Erased messages; null when the request does not erase. */
  erased: number | null;
  suppressed: boolean;
}

export interface SuppressionView {
  userId: string;
  /** Wall time. */
  since: number;
  /** The request that suppressed it; null when none did. */
  requestId: number | null;
  /** Calls rejected since then. */
  hits: number;
  /** Wall time of the newest one, or null. */
  lastHitAt: number | null;
}

/** The live part: what the list shows. */
export interface DeletionsView {
  /** Newest first, at most 100. */
  requests: DeletionRow[];
  total: number;
  suppressed: {
    users: number;
    /** Calls rejected since their users were suppressed. */
    hits: number;
    /** How many each request suppressed, newest first, at most 100; null for those without a request. */
    byRequest: Array<{ requestId: number | null; createdAt: number | null; users: number }>;
  };
}

/** How the call of a drill ended. */
export interface DrillView {
  /** Row id of the stored message. */
  messageId: number;
  state: MessageState;
  /** `user_suppressed` when the suppression held. */
  reason: string | null;
  sourceName: string;
  /** Wall time. */
  receivedAt: number;
}

const page = { limit: z.number().int().min(1).max(DELETION_LIMITS.rows) };

/** Commands of deletions; part of `commands`. */
export const deletionCommands = {
  /** Looks through the stored messages, in steps. Nothing is sent, erased or suppressed. */
  'deletions.preview': command(z.strictObject({ userIds }), gives<DeletionPreview>()),
  /** The notices that a request would send now, `count` of them from place `from` on. */
  'deletions.dryRun': command(
    z.strictObject({
      userIds,
      from: z.number().int().min(1).default(1),
      count: z.number().int().min(1).max(1_000),
    }),
    gives<{ total: number; notices: PlannedNotice[] }>(),
  ),
  /** Resolves once the request is stored; it then runs to its end, also after a restart. */
  'deletions.create': command(deletionInput, gives<DeletionDetail>()),
  /** Newest first, below `before`. */
  'deletions.list': command(
    z.strictObject({ before: id.optional(), ...page }),
    gives<{ rows: DeletionRow[]; nextBefore: number | null }>(),
  ),
  /** Error `deletion_not_found`. */
  'deletions.get': command(z.strictObject({ id }), gives<DeletionDetail>()),
  /**
   * Its users with their notices, by position above `after`; with `failedOnly`, only those with a failed notice. Error
   * `deletion_not_found`.
   */
  'deletions.users': command(
    z.strictObject({ id, after: z.number().int().min(0).default(0), failedOnly: z.boolean().default(false), ...page }),
    gives<{ rows: DeletionUser[]; nextAfter: number | null }>(),
  ),
  /**
   * Messages of its users that came after the request, newest first, without its notices. Scans for a bounded time. When
   * `more` is true, ask again with `before: scannedTo`. Error `deletion_not_found`.
   */
  'deletions.messagesAfter': command(
    z.strictObject({ id, before: id.optional(), ...page }),
    gives<{ rows: MessageRow[]; scannedTo: number; more: boolean }>(),
  ),
  /**
   * Sends one track call of this user through ingest, by default through the first enabled source. Errors `no_source`,
   * `source_not_found`, `store_not_writable`.
   */
  'deletions.drill': command(
    z.strictObject({
      userId: userIdInput,
      sourceId: id.optional(),
      event: z.string().min(1).max(200).default('Product Viewed'),
    }),
    gives<DrillView>(),
  ),
  /** Removes the ids of a finished request and of its notices. Errors `deletion_not_found`, `deletion_running`. */
  'deletions.forget': command(z.strictObject({ id }), gives<DeletionDetail>()),
  /** By user id, above `after`. `search` keeps those that contain it. */
  'deletions.suppressions': command(
    z.strictObject({ after: z.string().optional(), search: z.string().max(500).optional(), ...page }),
    gives<{ rows: SuppressionView[]; total: number; nextAfter: string | null }>(),
  ),
  /** Calls of these users are accepted again, at once. Says how many were suppressed. */
  'deletions.lift': command(z.strictObject({ userIds }), gives<{ lifted: number }>()),
  /** Suppresses users without a request. One that is suppressed already stays as it is. */
  'deletions.suppress': command(
    z.strictObject({ userIds, requestId: id.nullable().default(null) }),
    gives<{ suppressed: number }>(),
  ),
} as const;
