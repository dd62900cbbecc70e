/** The storage limits, for the command and for config files. */
import { z } from 'zod';

const MB = 1024 * 1024;

export const storageInput = z.strictObject({
  maxMessages: z.number().int().min(100).max(100_000_000).optional(),
  /** Bytes in use in the store's file. */
  maxBytes: z
    .number()
    .int()
    .min(10 * MB)
    .max(1024 * 1024 * MB)
    .optional(),
  maxAgeDays: z.number().min(0.01).max(36_500).optional(),
});
