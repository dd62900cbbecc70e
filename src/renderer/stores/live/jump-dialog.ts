import { create } from 'zustand';

/** The dialog that asks for a time of the list. */
export const useJumpDialog = create<{ open: boolean }>()(() => ({ open: false }));
