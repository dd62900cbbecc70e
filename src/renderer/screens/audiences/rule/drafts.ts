/** Audiences that are edited and not saved yet. They stay when another screen is shown. */
import { create } from 'zustand';
import type { SyncPlan } from '../../../../contract/audiences.ts';
import { type DraftGroup, EMPTY_DRAFT } from './draft.ts';

/** Where the members of a new audience come from. */
export type MembersBy = 'rule' | 'hand' | 'import';

export interface AudienceDraft {
  readonly name: string;
  /** Null: made from the name. */
  readonly property: string | null;
  readonly by: MembersBy;
  readonly rule: DraftGroup;
  /** User ids as pasted, of an audience by hand. */
  readonly ids: string;
  readonly sync: SyncPlan;
}

export const NEW_DRAFT: AudienceDraft = {
  name: '',
  property: null,
  by: 'rule',
  rule: EMPTY_DRAFT,
  ids: '',
  sync: { when: 'hand' },
};

/** By the audience's id; a new one has none. */
export type DraftId = number | 'new';

export const useDrafts = create<{ drafts: ReadonlyMap<DraftId, AudienceDraft> }>()(() => ({ drafts: new Map() }));

export const useDraft = (id: DraftId): AudienceDraft | undefined => useDrafts((state) => state.drafts.get(id));

export const setDraft = (id: DraftId, draft: AudienceDraft): void =>
  useDrafts.setState(({ drafts }) => ({ drafts: new Map(drafts).set(id, draft) }));

export const dropDraft = (id: DraftId): void =>
  useDrafts.setState(({ drafts }) => ({ drafts: new Map([...drafts].filter(([key]) => key !== id)) }));
