// Removing a folder to which a program that has just ended, or one of its children, may still write. Any Node >= 18.
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';

/** Tries again for up to 2.75 s while something is written there. `rmSync` gave up after less than half a second. */
export const removeFolder = (folder) => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

/**
 * Removes it when this process ends. One that stays is named, because nothing can wait for it then. An error would turn
 * the exit code into 1.
 */
export function removeAtExit(folder) {
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      console.error(`${folder} could not be removed: ${error.message}`);
    }
  });
}
