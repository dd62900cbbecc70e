import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/** Where temporary folders are in memory, so that a sync costs nothing; the usual place on systems without one. */
export function memoryFolder(): string {
  const hasMemory = process.platform === 'linux' && statSync(MEMORY, { throwIfNoEntry: false })?.isDirectory() === true;
  return hasMemory ? MEMORY : tmpdir();
}
