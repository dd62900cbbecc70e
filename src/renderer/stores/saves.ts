/** Whether every change of a settings screen reached the engine. */
import { create } from 'zustand';

export const useSaves = create<{ pending: number; failed: boolean }>()(() => ({ pending: 0, failed: false }));

/** Counts a save while it runs and keeps whether the newest one failed; the rejection goes on to the caller. */
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

/** Nothing failed so far: for entering a screen anew. */
export function forgetFailedSaves(): void {
  useSaves.setState({ failed: false });
}
