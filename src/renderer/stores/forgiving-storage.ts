/** localStorage for what a person likes. A full or refused storage is no error: the choice then lasts until the page goes. */
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
