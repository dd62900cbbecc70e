/** What the rule editor does with its draft: saves it, or leaves it. */
import { useRef } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import type { AudienceRuleInput } from '../../../../contract/people.ts';
import { plural } from '../../../lib/format.ts';
import { navigate } from '../../../stores/route.ts';
import { showToast } from '../../../stores/toasts.ts';
import { editMembers, saveAudience } from '../actions.ts';
import { type AudienceDraft, type DraftId, dropDraft, setDraft } from './drafts.ts';

export interface EditorProps {
  /** Null for a new one. */
  readonly audience: AudienceRow | null;
  readonly draft: AudienceDraft;
}

/** Saves, forgets the draft and shows the audience. Rejects with a ContractError. */
export function useSave({
  audience,
  draft,
  rule,
  ids,
}: EditorProps & { rule: AudienceRuleInput | null; ids: readonly string[] }): (
  then: 'audience' | 'dry-run',
) => Promise<void> {
  const busy = useRef(false);
  /** Set once a new one is stored, so that trying again adds no second one. */
  const stored = useRef(audience?.id);
  return async (then) => {
    if (busy.current) return;
    busy.current = true;
    const { name, property, by, sync } = draft;
    try {
      const saved = await saveAudience({
        id: stored.current,
        kind: 'audience',
        name,
        sync,
        ...(property === null || audience?.propertyLocked ? {} : { property }),
        ...(by === 'rule' ? { source: { by: 'computed', definition: definitionOf(rule) } } : {}),
      });
      stored.current = saved.id;
      if (by === 'hand' && ids.length > 0) await editMembers(saved.id, 'add', ids);
      dropDraft(audience?.id ?? 'new');
      if (by === 'import') navigate({ screen: 'audiences', audienceId: saved.id, tab: 'members', page: 'import' });
      else navigate({ screen: 'audiences', audienceId: saved.id, tab: 'pending' });
      const members = by === 'hand' && ids.length > 0 ? `, ${plural(ids.length, 'member')}` : '';
      showToast({ title: audience === null ? 'Audience added' : 'Audience saved', body: `${saved.name}${members}` });
      if (then === 'dry-run')
        setTimeout(() => document.querySelector<HTMLElement>('[data-region="dry-run"]')?.focus(), 0);
    } finally {
      busy.current = false;
    }
  };
}

type Definition = Extract<NonNullable<Parameters<typeof saveAudience>[0]['source']>, { by: 'computed' }>['definition'];

const definitionOf = (rule: AudienceRuleInput | null): Definition => rule as unknown as Definition;

/** Leaves without saving. Undo brings the draft back. */
export function discard(id: DraftId, draft: AudienceDraft): void {
  dropDraft(id);
  navigate({ screen: 'audiences', audienceId: id === 'new' ? null : id, tab: 'pending' });
  showToast({
    title: 'Draft discarded',
    body: draft.name === '' ? undefined : draft.name,
    action: {
      label: 'Undo',
      run: () => {
        setDraft(id, draft);
        navigate({ screen: 'audiences', audienceId: id === 'new' ? null : id, tab: 'pending', page: 'edit' });
      },
    },
  });
}
