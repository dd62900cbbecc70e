/** What exports and imports are bounded by, for both sides. */

export const EXPORT_FORMATS = ['ndjson', 'har', 'csv', 'curl', 'html'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXCHANGE_LIMITS = {
  /** Messages of one selection. */
  exportIds: 10_000,
  maskPaths: 50,
  /** UTF-16 units of one path. */
  maskPath: 200,
  /** UTF-16 units of one piece of an imported file. */
  pieceText: 64 * 1024,
  /** Bytes of an imported file (reliability, Malicious import file). */
  fileBytes: 100 * 1024 * 1024,
  /** UTF-16 units of one line, or of one entry of a HAR. */
  lineText: 1024 * 1024,
  /** Refused rows that are told one by one. */
  problems: 200,
} as const;
