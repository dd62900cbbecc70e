/** Export of stored messages and import of calls from files (docs/behaviour.md, Export and import). */
import { z } from 'zod';
import { command, gives } from './command.ts';
import { CURL_SHELLS } from './curl-file.ts';
import { EXCHANGE_LIMITS, EXPORT_FORMATS } from './exchange-limits.ts';

export { EXCHANGE_LIMITS, EXPORT_FORMATS, type ExportFormat } from './exchange-limits.ts';

z.config({ jitless: true });

const id = z.number().int().positive();
const count = z.number().int().min(0);

/** Where the next slice of an export begins. A client hands it back as it came. */
const exportCursor = z.strictObject({
  /** The last row id that was looked at; with `ids`, how many of them were. */
  at: count,
  /** The newest message when the export began: later ones are not part of it. */
  upTo: count,
  written: count,
});
export type ExportCursor = z.infer<typeof exportCursor>;

/** Paths into the call, such as `traits.email`, whose values are masked wherever they appear. */
const maskPaths = z.array(z.string().min(1).max(EXCHANGE_LIMITS.maskPath)).max(EXCHANGE_LIMITS.maskPaths);

/** The settings of exports, for the command and for config files. */
export const exportSettings = z.strictObject({ mask: maskPaths });
export interface ExportSettings {
  /** What an export masks that does not say it. */
  readonly mask: readonly string[];
}

/** What an export has beside the messages that it is of. */
export const exportFields = {
  format: z.enum(EXPORT_FORMATS),
  /** The shell of curl commands; sh by default. Other formats have none. */
  shell: z.enum(CURL_SHELLS).optional(),
  /** Left out: the fields of the settings (`exports.save`). */
  mask: maskPaths.optional(),
  /** Keeps the values of X-Signature. By default they are hidden. */
  signatures: z.boolean().optional(),
  cursor: exportCursor.optional(),
};

export const exportIds = z.array(id).min(1).max(EXCHANGE_LIMITS.exportIds);

/** One slice of an export. The texts of all slices, one after the other, are the file. */
export interface ExportSlice {
  text: string;
  /** Messages written so far. */
  written: number;
  /** Of the paths to mask, those at which this slice masked something. */
  masked: string[];
  /** From 0 to 1: how much of what was asked for has been looked at. */
  progress: number;
  /** Null after the last slice. */
  next: ExportCursor | null;
}

/** A row of the file that was not imported. */
export interface ImportProblemView {
  /** Line of an NDJSON file, or place of an entry in a HAR, from 1. */
  at: number;
  text: string;
}

/** How far an import of calls is. `imported`, `duplicates`, `refused` and `other` add up to `read`. */
export interface CallImportView {
  import: string;
  /** Null until enough of the file was read to tell. */
  format: 'ndjson' | 'har' | null;
  bytes: number;
  /** Calls read, and rows that hold none. */
  read: number;
  imported: number;
  /** Of the imported ones, those that were handed to delivery. */
  queued: number;
  /** Messages with the same messageId that were stored before. */
  duplicates: number;
  refused: number;
  /** Entries of a HAR that are no call to Segment's API. */
  other: number;
  /** The first 200 refused ones. */
  problems: ImportProblemView[];
  done: boolean;
}

const token = z.strictObject({ import: z.string().min(1).max(64) });

export const exportSettingCommands = {
  /** Replaces the fields that exports mask. */
  'exports.save': command(exportSettings, gives<ExportSettings>()),
};

export const importCommands = {
  /** Begins an import of calls. With `deliver` they are delivered like a call that just came; else kept as history. */
  'messages.importOpen': command(z.strictObject({ deliver: z.boolean().optional() }), gives<CallImportView>()),
  /**
   * Reads the next piece of the file and stores the calls that it completes, in one transaction. Errors
   * `import_not_found`, `import_not_ready` after the last piece, `import_too_large`, `store_not_writable`; what
   * earlier pieces stored stays.
   */
  'messages.importText': command(
    token.extend({ text: z.string().max(EXCHANGE_LIMITS.pieceText), last: z.boolean() }),
    gives<CallImportView>(),
  ),
  /** Forgets the import. What it stored stays. */
  'messages.importClose': command(token, gives<null>()),
};
