import { useEffect, useRef, useState } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import { audienceRule } from '../../../../contract/people.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { TryAgain } from '../../../components/try-again.tsx';
import { call } from '../../../platform/connect.ts';
import { navigate } from '../../../stores/route.ts';
import { draftOf } from './draft.ts';
import { type AudienceDraft, dropDraft, NEW_DRAFT, setDraft, useDraft, useDrafts } from './drafts.ts';
import { RuleEditor } from './rule-editor.tsx';

/** The editor of a new audience. */
export function NewAudience() {
  const draft = useDraft('new') ?? NEW_DRAFT;
  return <RuleEditor key="new" audience={null} draft={draft} />;
}

/** The editor of a stored audience, whose rule is read first. */
export function EditAudience({ audience }: { audience: AudienceRow }) {
  const { id, by } = audience;
  const draft = useDraft(id);
  const [state, setState] = useState<'reading' | 'failed' | 'unreadable'>('reading');
  const [turn, setTurn] = useState(0);
  const isMissing = draft === undefined;
  /** As it was read. A draft that nobody has changed is read again the next time. */
  const read = useRef<AudienceDraft | null>(null);
  useEffect(
    () => () => {
      if (read.current !== null && useDrafts.getState().drafts.get(id) === read.current) dropDraft(id);
    },
    [id],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn reads again
  useEffect(() => {
    if (!isMissing || by === 'hand') return;
    let gone = false;
    setState('reading');
    call('audiences.get', { id }).then(
      ({ name, property, sync, source }) => {
        if (gone) return;
        const rule = source.by === 'computed' ? audienceRule.safeParse(source.definition) : null;
        if (rule?.success !== true) return setState('unreadable');
        read.current = { ...NEW_DRAFT, name, property, sync, rule: draftOf(rule.data) };
        setDraft(id, read.current);
      },
      () => !gone && setState('failed'),
    );
    return () => {
      gone = true;
    };
  }, [id, by, isMissing, turn]);

  if (by === 'hand') {
    return (
      <EmptyState
        title="Its members are a list, not a rule."
        actions={
          <Button onClick={() => navigate({ screen: 'audiences', audienceId: id, tab: 'members' })}>
            Show its members
          </Button>
        }
      >
        A list cannot become a rule. Make a new audience by rule.
      </EmptyState>
    );
  }
  if (draft !== undefined) return <RuleEditor key={id} audience={audience} draft={draft} />;
  if (state === 'failed')
    return (
      <EmptyState title="Could not read the rule." actions={<TryAgain onAgain={() => setTurn((now) => now + 1)} />} />
    );
  return state === 'unreadable' ? <EmptyState title="This rule cannot be shown." /> : null;
}
