import { randomBytes, randomUUID } from 'node:crypto';
import type { Ids } from '../ports.ts';

/** Random ids and keys from the system's generator. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  hex: (bytes: number) => randomBytes(bytes).toString('hex'),
};
