/** Whether every change on a settings screen has reached the engine. */
import { create } from 'zustand';

export const useSaves = create<{ pending: number; failed: boolean }>()(() => ({ pending: 0, failed: false }));

/** Counts a save while it runs and remembers whether the newest one failed. Passes the rejection on to the caller. */
export async function tracked<T>(work: Promise<T>): Promise<T> {
  useSaves.setState(({ pending }) => ({ pending: pending + 1 }));
  try {
    const result = await work;
    useSaves.setState({ failed: false });
    return result;
  } catch (error) {
    useSaves.setState({ failed: true });
    throw error;
  } finally {
    useSaves.setState(({ pending }) => ({ pending: pending - 1 }));
  }
}

/** Forgets failures, when a screen is entered again. */
export function forgetFailedSaves(): void {
  useSaves.setState({ failed: false });
}
