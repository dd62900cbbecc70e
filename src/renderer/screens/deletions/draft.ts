/** The request that is being written. It stays while other screens are shown. */
import { create } from 'zustand';

export interface Draft {
  /** User ids, one in a line. */
  readonly text: string;
  readonly erase: boolean;
  readonly suppress: boolean;
  readonly forget: boolean;
}

const EMPTY: Draft = { text: '', erase: false, suppress: false, forget: false };

export const useDraft = create<Draft>()(() => EMPTY);
export const setDraft = (change: Partial<Draft>): void => useDraft.setState(change);
export const clearDraft = (): void => useDraft.setState(EMPTY, true);
