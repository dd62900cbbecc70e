/** Definitions that are edited and not saved yet. They stay when another screen is shown. */
import { create } from 'zustand';
import type { SyncPlan } from '../../../../contract/audiences.ts';
import type { TraitDraft } from './trait-draft.ts';

/** A trait that is not stored yet. */
export interface NewTraitDraft {
  readonly name: string;
  /** Null: made from the name. */
  readonly property: string | null;
  readonly definition: TraitDraft;
  readonly sync: SyncPlan;
}

interface Drafts {
  readonly fresh: NewTraitDraft | null;
  /** By the trait's id. */
  readonly edits: ReadonlyMap<number, TraitDraft>;
}

export const useTraitDrafts = create<Drafts>()(() => ({ fresh: null, edits: new Map() }));

export const setNewTrait = (fresh: NewTraitDraft | null): void => useTraitDrafts.setState({ fresh });

export const setTraitEdit = (id: number, draft: TraitDraft | null): void =>
  useTraitDrafts.setState(({ edits }) => {
    const next = new Map(edits);
    if (draft === null) next.delete(id);
    else next.set(id, draft);
    return { edits: next };
  });
