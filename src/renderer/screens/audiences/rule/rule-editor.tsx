import { ListChecks } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import { ContractError } from '../../../../contract/errors.ts';
import { Button } from '../../../components/button.tsx';
import { failureText } from '../../../components/commit-field.tsx';
import { Seg } from '../../../components/controls.tsx';
import { Kbd } from '../../../components/tag.tsx';
import { showToast } from '../../../stores/toasts.ts';
import { IdsField } from '../ids-field.tsx';
import { readIds } from '../ids-text.ts';
import { propertyError, useProperty } from '../use-property.ts';
import { useSaveKey } from '../use-save-key.ts';
import { PLANS, planOf, planValue, sentence } from '../words.ts';
import { checkDraft, type DraftGroup } from './draft.ts';
import { type AudienceDraft, type DraftId, type MembersBy, setDraft } from './drafts.ts';
import { EditorPanel } from './editor-panel.tsx';
import { removeNode } from './edits.ts';
import { NameFields } from './name-fields.tsx';
import css from './rule-editor.module.css';
import { RuleTree } from './rule-tree.tsx';
import { discard, type EditorProps, useSave } from './save-rule.ts';
import { type RuleCount, useCount } from './use-count.ts';
import { useSuggestions } from './use-suggestions.ts';
import { WindowsNote } from './windows-note.tsx';

const MEMBERS_BY: ReadonlyArray<{ value: MembersBy; label: string }> = [
  { value: 'rule', label: 'By rule' },
  { value: 'hand', label: 'By hand' },
  { value: 'import', label: 'Import' },
];
const SYNC_PLANS = PLANS.map(({ value, label }) => ({ value, label: value === 'hand' ? 'By hand' : label }));

/** A new audience, or the rule of one: who is in, and seen at once. */
export function RuleEditor({ audience, draft }: EditorProps) {
  const id: DraftId = audience?.id ?? 'new';
  const { name, property, by, rule: tree, ids, sync } = draft;
  const change = (edit: Partial<AudienceDraft>) => {
    setError(null);
    setDraft(id, { ...draft, ...edit });
  };
  const checked = useMemo(() => checkDraft(tree), [tree]);
  const count = useCount(by === 'rule' ? checked.rule : null, tree);
  const known = useProperty(name, property, audience?.id);
  const [error, setError] = useState<{ place: Place; text: string } | null>(null);
  const [showsMissing, setShowsMissing] = useState(false);
  /** The part that the panel points at, and the part that is looked at in the rule. */
  const [pointed, setPointed] = useState<number | null>(null);
  const [looked, setLooked] = useState<number | null>(null);
  const wrong = audience?.propertyLocked ? null : propertyError(name, property, known);
  const read = useMemo(() => readIds(ids), [ids]);
  const save = useSave({ audience, draft, rule: checked.rule, ids: read.ids });

  const trySave = async (then: 'audience' | 'dry-run'): Promise<void> => {
    if (name.trim() === '') return setError({ place: 'name', text: 'Enter a name.' });
    if (wrong !== null || (by === 'hand' && read.tooLongAt !== null)) return;
    if (by === 'rule' && (checked.rule === null || tree.of.length === 0)) {
      setShowsMissing(true);
      return setError({ place: 'rule', text: ruleProblem(tree) });
    }
    try {
      await save(then);
    } catch (failure) {
      setError({ place: placeOf(failure), text: sentence(failureText(failure)) });
    }
  };
  useSaveKey(() => void trySave('audience'));
  const at = (place: Place): string | null => (error?.place === place ? error.text : null);
  return (
    <div className={css.editor}>
      <div className={css.body}>
        <section className={css.middle} aria-label={name || 'New audience'} data-region="detail" tabIndex={-1}>
          <h2 className="visually-hidden">{name || 'New audience'}</h2>
          <NameFields
            audience={audience}
            name={name}
            typed={property}
            known={known}
            nameError={at('name')}
            propertyError={at('property') ?? wrong}
            onName={(next) => change({ name: next })}
            onProperty={(next) => change({ property: next })}
          />
          <div className={css.bar}>
            <h3>Members</h3>
            <span className="spacer" />
            <Seg
              label="Members"
              value={by}
              options={MEMBERS_BY.map((one) => ({ ...one, disabled: audience !== null && one.value !== 'rule' }))}
              className={css.by}
              onChange={(next) => change({ by: next })}
            />
          </div>
          {by === 'rule' && (
            <RulePart
              tree={tree}
              count={count}
              problems={{ problems: checked.problems, showsMissing }}
              marked={pointed}
              onMark={setLooked}
              onTree={(next) => change({ rule: next })}
            />
          )}
          {by === 'hand' && (
            <div className={css.rule}>
              <IdsField text={ids} read={read} error={at('ids')} onText={(next) => change({ ids: next })} />
            </div>
          )}
          {by === 'import' && (
            <p className={css.importHint}>Save the audience first. Then paste ids, or drop a CSV or NDJSON file.</p>
          )}
          <div className={css.syncBar}>
            <h3>Sync</h3>
            <span className="spacer" />
            <Seg
              label="Sync"
              value={planValue(sync)}
              options={SYNC_PLANS}
              className={css.plan}
              onChange={(next) => change({ sync: planOf(next) })}
            />
          </div>
        </section>
        {by === 'rule' && (
          <EditorPanel count={count} draft={tree} marked={looked} onMark={setPointed} onGo={focusPart} />
        )}
      </div>
      <footer className={css.foot} data-region="rule-actions">
        <span className={error === null ? css.state : css.problem} role={error === null ? undefined : 'alert'}>
          {error?.text ?? stateText(audience, sync.when !== 'hand')}
        </span>
        <div className={css.actions}>
          <Button variant="ghost" onClick={() => discard(id, draft)}>
            Discard
          </Button>
          {sync.when === 'hand' && by !== 'import' && (
            <Button icon={ListChecks} disabled={wrong !== null} onClick={() => void trySave('dry-run')}>
              {audience === null || audience.lastSync === null
                ? 'Show what the first sync sends'
                : 'Show what the next sync sends'}
            </Button>
          )}
          <Button variant="primary" disabled={wrong !== null} onClick={() => void trySave('audience')}>
            {by === 'import' ? 'Save and import' : 'Save audience'} <Kbd>Ctrl S</Kbd>
          </Button>
        </div>
      </footer>
    </div>
  );
}

type Place = 'name' | 'property' | 'rule' | 'ids';

function placeOf(failure: unknown): Place {
  if (!(failure instanceof ContractError)) return 'rule';
  if (failure.code.startsWith('property_')) return 'property';
  return failure.code === 'audience_name_taken' ? 'name' : 'rule';
}

const ruleProblem = ({ of }: DraftGroup): string =>
  of.length === 0 ? 'Add a condition. Without one nobody is in.' : 'Some conditions are not complete.';

function stateText(audience: AudienceRow | null, syncsAlone: boolean): string {
  if (audience === null)
    return syncsAlone
      ? 'Draft. The first sync begins when it is saved.'
      : 'Draft. Nothing is sent until the first sync.';
  return syncsAlone ? 'Who comes in or goes is sent by the next sync.' : 'Nothing is sent until the next sync.';
}

function RulePart({
  tree,
  count,
  problems,
  marked,
  onMark,
  onTree,
}: {
  tree: DraftGroup;
  count: RuleCount;
  problems: Parameters<typeof RuleTree>[0]['shown'];
  marked: number | null;
  onMark: (key: number | null) => void;
  onTree: (tree: DraftGroup) => void;
}) {
  const suggestions = useSuggestions();
  const { counted, state } = count;
  const now = useRef(onTree);
  now.current = onTree;
  const remove = (key: number) => {
    onTree(removeNode(tree, key));
    showToast({
      title: 'Removed from the rule',
      action: { label: 'Undo', run: () => now.current(tree) },
    });
  };
  return (
    <div className={css.rule}>
      <div className={css.ruleHead}>
        <span>Over stored traffic of all sources</span>
        <span className="spacer" />
        <span>people</span>
      </div>
      <RuleTree
        draft={tree}
        sentence={count.sentence ?? 'Rule'}
        counted={counted}
        isCurrent={counted !== null && state === 'ready'}
        suggestions={suggestions}
        shown={problems}
        marked={marked}
        onMark={onMark}
        onChange={onTree}
        onRemove={remove}
      />
      <WindowsNote tree={tree} />
    </div>
  );
}

const focusPart = (key: number): void =>
  document.querySelector<HTMLElement>(`[role="treeitem"][data-part="${key}"]`)?.focus();
