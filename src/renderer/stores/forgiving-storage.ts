/**
 * localStorage for the user's preferences. A full or refused storage is not an error: the choice then lasts until the
 * page closes.
 */
import type { StateStorage } from 'zustand/middleware';

export const forgivingStorage: StateStorage<void> = {
  getItem: (key) => attempt(() => localStorage.getItem(key)) ?? null,
  setItem: (key, value) => {
    attempt(() => localStorage.setItem(key, value));
  },
  removeItem: (key) => {
    attempt(() => localStorage.removeItem(key));
  },
};

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
