/**
 * Audiences and computed traits: who gets an identify call, what it says, and how far each sync has come
 * (docs/behaviour.md, Audiences). Both use the same commands: `kind` tells them apart.
 *
 * Large lists are read in windows with a cursor: pass the `next` of the last answer as `after`. Times are wall times in
 * epoch milliseconds unless a name says `clock`.
 */
import { z } from 'zod';
import type { ComputedKind } from '../core/model/vocabulary.ts';
import { command, gives } from './command.ts';
import { IMPORT_RESULTS, type ImportRow, type ImportView } from './import-view.ts';
import { audienceRule, computedTrait } from './people.ts';
import type { ChangeKind, DryRun, SyncCallRow, SyncDetail, SyncRow } from './sync-view.ts';

export {
  IMPORT_PROBLEMS,
  IMPORT_RESULTS,
  type ImportColumn,
  type ImportProblem,
  type ImportResult,
  type ImportRow,
  type ImportView,
} from './import-view.ts';
export {
  type ChangeKind,
  type DryCall,
  type DryRun,
  SYNC_STATES,
  type SyncCallRow,
  type SyncDetail,
  type SyncEvent,
  type SyncLedger,
  type SyncRow,
  type SyncStarter,
  type SyncState,
  type SyncWait,
} from './sync-view.ts';

z.config({ jitless: true });

export const AUDIENCE_LIMITS = {
  /** Audiences and traits together. */
  audiences: 500,
  /** The newest ones of an audience, which are kept. */
  syncs: 1_000,
  name: 100,
  property: 100,
  /** Characters of one user id. */
  userId: 1_000,
  /** Ids of the person whose audiences are asked for. */
  idsOfPerson: 20,
  /** Ids of one command. More come through an import. */
  idsAtOnce: 1_000,
  /** Rows of one answer. */
  window: 500,
  /** Characters of one piece of a file. */
  pieceText: 65_536,
  /** Bytes of one file. */
  fileBytes: 33_554_432,
  /** Ids of one file. */
  fileRows: 500_000,
} as const;

/** How often a scheduled sync runs, in milliseconds of the retry clock. */
export const SYNC_EVERY_MS = [600_000, 3_600_000, 86_400_000] as const;

export const AUDIENCE_KINDS = ['audience', 'trait'] as const;
export type AudienceKind = (typeof AUDIENCE_KINDS)[number];

/** Letters, digits and underscores, at least one of them a letter or a digit; no digit first. */
export const PROPERTY_PATTERN = /^(?=.*[a-z0-9])[a-z_][a-z0-9_]*$/;

const id = z.number().int().positive();
const none = z.null().optional();
const userId = z.string().min(1).max(AUDIENCE_LIMITS.userId);
const userIds = z.array(userId).max(AUDIENCE_LIMITS.idsAtOnce);
const name = z.string().trim().min(1).max(AUDIENCE_LIMITS.name);
const property = z
  .string()
  .max(AUDIENCE_LIMITS.property)
  .regex(PROPERTY_PATTERN, 'lower-case letters, digits and underscores, no digit first');
const limit = z.number().int().min(1).max(AUDIENCE_LIMITS.window);
/** The `next` of the answer before; absent for the first window. */
const after = z.string().max(AUDIENCE_LIMITS.userId).optional();
const token = z.string().min(1).max(64);

/** When an audience syncs by itself. */
export const syncPlan = z.discriminatedUnion('when', [
  z.strictObject({ when: z.literal('hand') }),
  z.strictObject({ when: z.literal('change') }),
  z.strictObject({
    when: z.literal('every'),
    everyMs: z.union([z.literal(SYNC_EVERY_MS[0]), z.literal(SYNC_EVERY_MS[1]), z.literal(SYNC_EVERY_MS[2])]),
  }),
]);
export type SyncPlan = z.output<typeof syncPlan>;

/**
 * Who is in, or which value a user has: `hand` is a list of user ids, `computed` is a rule (audience) or a definition
 * (trait) over stored traffic, as `contract/people.ts` describes it.
 */
export const audienceSource = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('hand') }),
  z.strictObject({ by: z.literal('computed'), definition: z.record(z.string(), z.json()) }),
]);
export type AudienceSource = z.output<typeof audienceSource>;

/** Without `id`, a new one. What is left out stays as it is. */
export const audienceInput = z.strictObject({
  id: id.optional(),
  kind: z.enum(AUDIENCE_KINDS).default('audience'),
  name,
  /** Made from the name when absent. */
  property: property.optional(),
  source: audienceSource.optional(),
  sync: syncPlan.optional(),
  /** Also sends track calls `Audience Entered` and `Audience Exited`. Not part of the specification. */
  track: z.boolean().optional(),
});
export type AudienceInput = z.input<typeof audienceInput>;

/** The `audiences` key of the config file. */
export const audiencesConfig = z
  .array(
    z
      .strictObject({
        name,
        property: property.optional(),
        /** Added to the members; nobody is removed. */
        userIds: z.array(userId).max(10_000).optional(),
        /** Who is in, in place of a list. */
        rule: audienceRule.optional(),
        sync: syncPlan.default({ when: 'hand' }),
        track: z.boolean().default(false),
      })
      .refine(({ userIds: ids, rule }) => ids === undefined || rule === undefined, {
        path: ['rule'],
        message: 'Members come from a rule or from userIds, not from both.',
      }),
  )
  .max(AUDIENCE_LIMITS.audiences);

/** The `traits` key of the config file. */
export const traitsConfig = z
  .array(
    z.strictObject({
      name,
      property: property.optional(),
      definition: computedTrait,
      sync: syncPlan.default({ when: 'hand' }),
    }),
  )
  .max(AUDIENCE_LIMITS.audiences);

/** What each user was told and is to be told. All four are counts of users. */
export interface AudienceCounts {
  /** Members of an audience; users with a value of a trait. */
  members: number;
  /** New members, or users with a first value. */
  toAdd: number;
  /** Former members. Always 0 for a trait. */
  toRemove: number;
  /** Users whose value differs from the one sent. Always 0 for an audience. */
  toChange: number;
}

/** An audience or a trait in the list; part of the live part `audiences`. */
export interface AudienceRow {
  id: number;
  kind: AudienceKind;
  name: string;
  property: string;
  /** True after the first sync. A locked property cannot be changed. */
  propertyLocked: boolean;
  by: AudienceSource['by'];
  /** Of a trait: what it computes. */
  computes: ComputedKind | null;
  counts: AudienceCounts;
  /** False while a rule or a trait is counted after a start or a change of it. Until then `counts` is what it was. */
  isCounted: boolean;
  sync: SyncPlan;
  /** Retry-clock time of the next scheduled sync; null when there is none. */
  nextSyncClock: number | null;
  track: boolean;
  /** The newest sync, running or not; null before the first. */
  lastSync: SyncRow | null;
  /** How many syncs there were. */
  syncs: number;
  createdAt: number;
}

/** The live part `audiences`: oldest first. While a sync runs it changes at most four times a second. */
export interface AudiencesView {
  audiences: AudienceRow[];
  traits: AudienceRow[];
}

export interface AudienceDetail extends AudienceRow {
  source: AudienceSource;
  /** Syncs, newest first, at most 12. `audiences.syncs` has the others. */
  history: SyncRow[];
}

/** Whether a property can be used, and what it is when made from a name. */
export interface PropertyView {
  /** Null when the name has no Latin letter or digit to make it of: it must be typed. */
  property: string | null;
  /** The audience or trait that sends this property already. */
  usedBy: { id: number; kind: AudienceKind; name: string } | null;
  /**
   * Sources whose own identify calls send this trait, most calls first; a receiver cannot tell the two apart. Null while
   * stored calls are still read (live part `people`): ask again when that is done.
   */
  sentBy: Array<{ sourceId: number; name: string; calls: number }> | null;
  /** The first of `property_2`, `property_3`, … that neither uses; null without a clash. */
  free: string | null;
}

export interface PendingRow {
  userId: string;
  /** Text of an import column, shown here only; null when there is none. */
  label: string | null;
  change: ChangeKind;
  /** What was sent last, and what the next sync sends. Null: nothing. */
  sent: unknown;
  value: unknown;
  since: number;
}

export interface MemberRow {
  userId: string;
  label: string | null;
  value: unknown;
  since: number;
  /** True when the receivers were told exactly this. */
  told: boolean;
}

/** An audience that a person is in. */
export interface MembershipRow {
  id: number;
  name: string;
  /** False while the rule is counted after a start or a change of it: the person was in until then. */
  isCounted: boolean;
}

export interface Page<R> {
  rows: R[];
  /** Null at the end. With a search, `rows` may be empty although there is a next window. */
  next: string | null;
}

export interface MembersChanged {
  added: number;
  removed: number;
  /** Ids that changed nothing: they were in already, or they were not in. */
  unchanged: number;
  audience: AudienceRow;
}

export interface SyncListRow extends SyncRow {
  audienceName: string;
  kindOfAudience: AudienceKind;
}

/** Commands of audiences and computed traits; part of `commands`. */
export const audienceCommands = {
  'audiences.list': command(none, gives<AudiencesView>()),
  /** Error `audience_not_found`. */
  'audiences.get': command(z.strictObject({ id }), gives<AudienceDetail>()),
  /** The property of a name, or whether a typed one is free. `id` is that of the audience that would use it. */
  'audiences.property': command(
    z.strictObject({
      name: z.string().max(AUDIENCE_LIMITS.name).optional(),
      property: property.optional(),
      id: id.optional(),
    }),
    gives<PropertyView>(),
  ),
  /**
   * Errors `audience_not_found`, `audience_name_taken`, `property_taken`, `property_needed`, `property_locked`,
   * `source_fixed`, `too_many_audiences`. A trait needs a definition.
   */
  'audiences.save': command(audienceInput, gives<AudienceRow>()),
  /** Its messages stay. Errors `audience_not_found`, `sync_running`. */
  'audiences.remove': command(z.strictObject({ id }), gives<null>()),

  /** What the next sync sends, by user id. Error `audience_not_found`. */
  'audiences.pending': command(z.strictObject({ id, after, limit }), gives<Page<PendingRow>>()),
  /** Members by user id; `search` finds it in the id and the label. Error `audience_not_found`. */
  'audiences.members': command(
    z.strictObject({ id, after, limit, search: z.string().max(200).optional() }),
    gives<Page<MemberRow>>(),
  ),
  /** The audiences, oldest first, in which one of these users is now. Computed traits are not among them. */
  'audiences.withUser': command(
    z.strictObject({ userIds: z.array(userId).min(1).max(AUDIENCE_LIMITS.idsOfPerson) }),
    gives<MembershipRow[]>(),
  ),
  /** Ids are taken byte for byte. Errors `audience_not_found`, `not_by_hand`. */
  'audiences.editMembers': command(
    z.strictObject({ id, add: userIds.optional(), remove: userIds.optional() }),
    gives<MembersChanged>(),
  ),

  /** Begins the import of a file or a pasted text. Errors `audience_not_found`, `not_by_hand`. */
  'audiences.importOpen': command(
    z.strictObject({ id, fileName: z.string().max(500).optional() }),
    gives<ImportView>(),
  ),
  /** The next piece of its text. Errors `import_not_found`, `import_too_large`. */
  'audiences.importText': command(
    z.strictObject({ import: token, text: z.string().max(AUDIENCE_LIMITS.pieceText), last: z.boolean() }),
    gives<ImportView>(),
  ),
  'audiences.importView': command(z.strictObject({ import: token }), gives<ImportView>()),
  /** Chooses columns by their place, from 0, and reads the text again. Errors `import_not_found`, `invalid_argument`. */
  'audiences.importColumns': command(
    z.strictObject({
      import: token,
      userId: z.number().int().min(0).max(999),
      label: z.number().int().min(0).max(999).nullable(),
    }),
    gives<ImportView>(),
  ),
  'audiences.importRows': command(
    z.strictObject({
      import: token,
      show: z.enum(['all', ...IMPORT_RESULTS]),
      /** `problems`: bad rows first, then duplicates. */
      order: z.enum(['file', 'problems']),
      offset: z.number().int().min(0),
      limit,
    }),
    gives<{ rows: ImportRow[]; total: number }>(),
  ),
  /**
   * `replace` also removes the members that the file does not have. Works in steps, so a crash leaves the steps before
   * it done. Errors `import_not_found`, `import_not_ready`, `audience_not_found`.
   */
  'audiences.importRun': command(
    z.strictObject({ import: token, mode: z.enum(['add', 'replace']) }),
    gives<MembersChanged>(),
  ),
  /** Forgets the import. Harmless when repeated. */
  'audiences.importClose': command(z.strictObject({ import: token }), gives<null>()),

  /**
   * Sends nothing. Made by the code that sends. The first window waits until a rule or trait is counted. Errors
   * `audience_not_found`, `people_off`.
   */
  'audiences.dryRun': command(z.strictObject({ id, after, limit }), gives<DryRun>()),
  /**
   * Null when there is nothing to send. Waits until a rule or trait is counted. Errors `audience_not_found`,
   * `sync_running`, `sync_stopped`, `people_off`.
   */
  'audiences.sync': command(z.strictObject({ id }), gives<SyncRow | null>()),
  /** Open requests end; the rest stays unsent. Errors `sync_not_found`, `sync_not_running`. */
  'audiences.stopSync': command(z.strictObject({ sync: id }), gives<SyncRow>()),
  /** Goes on with the next call. Errors `sync_not_found`, `sync_not_stopped`, `sync_running`. */
  'audiences.resumeSync': command(z.strictObject({ sync: id }), gives<SyncRow>()),
  /** By number within an audience. Error `sync_not_found`. */
  'audiences.getSync': command(z.strictObject({ id, n: z.number().int().positive() }), gives<SyncDetail>()),
  /** Newest first, of one audience or of all. `before` is a sync's id. */
  'audiences.syncs': command(
    z.strictObject({ id: id.optional(), kind: z.enum(AUDIENCE_KINDS).optional(), before: id.optional(), limit }),
    gives<{ rows: SyncListRow[]; total: number; nextBefore: number | null }>(),
  ),
  /** The calls of a sync in order, all or those that failed. `after` is a position. Error `sync_not_found`. */
  'audiences.syncCalls': command(
    z.strictObject({
      sync: id,
      show: z.enum(['all', 'failed']),
      after: z.number().int().min(0).optional(),
      limit,
    }),
    gives<{ rows: SyncCallRow[]; next: number | null }>(),
  ),
} as const;
