import { ListChecks } from 'lucide-react';
import { useRef, useState } from 'react';
import type { AudienceRow } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { Kbd } from '../../../components/tag.tsx';
import { showToast } from '../../../stores/toasts.ts';
import { IdsField } from '../ids-field.tsx';
import { MembersBar } from '../members-bar.tsx';
import { useSaveKey } from '../use-save-key.ts';
import type { DraftGroup } from './draft.ts';
import type { AudienceDraft } from './drafts.ts';
import { EditorPanel } from './editor-panel.tsx';
import { EditorFoot, SyncBar } from './editor-parts.tsx';
import { removeNode } from './edits.ts';
import { NameFields } from './name-fields.tsx';
import css from './rule-editor.module.css';
import { RuleTree } from './rule-tree.tsx';
import { discard, type EditorProps } from './save-rule.ts';
import { type RuleCount, useCount } from './use-count.ts';
import { type RuleForm, useRuleForm } from './use-rule-form.ts';
import { useSuggestions } from './use-suggestions.ts';
import { WindowsNote } from './windows-note.tsx';

/** A new audience, or the rule of one: who is in, and seen at once. */
export function RuleEditor({ audience, draft }: EditorProps) {
  const { name, property, by, rule: tree, sync } = draft;
  const form = useRuleForm({ audience, draft });
  const { checked, wrong, change, errorAt } = form;
  const count = useCount(by === 'rule' ? checked.rule : null, tree);
  /** The part that the panel points at, and the part that is looked at in the rule. */
  const [pointed, setPointed] = useState<number | null>(null);
  const [looked, setLooked] = useState<number | null>(null);
  useSaveKey(() => void form.save('audience'));
  return (
    <div className={css.editor}>
      <div className={css.body}>
        <section className={css.middle} aria-label={name || 'New audience'} data-region="detail" tabIndex={-1}>
          <h2 className="visually-hidden">{name || 'New audience'}</h2>
          <NameFields
            audience={audience}
            name={name}
            typed={property}
            known={form.known}
            nameError={errorAt('name')}
            propertyError={errorAt('property') ?? wrong}
            onName={(next) => change({ name: next })}
            onProperty={(next) => change({ property: next })}
          />
          <MembersBar
            by={by}
            without={audience === null ? [] : ['hand', 'import']}
            onBy={(next) => change({ by: next })}
          />
          {by === 'rule' ? (
            <RulePart
              tree={tree}
              count={count}
              problems={{ problems: checked.problems, showsMissing: form.showsMissing }}
              marked={pointed}
              onMark={setLooked}
              onTree={(next) => change({ rule: next })}
            />
          ) : (
            <ListPart draft={draft} form={form} />
          )}
          <SyncBar sync={sync} onSync={(next) => change({ sync: next })} />
        </section>
        {by === 'rule' && <EditorPanel count={count} marked={looked} onMark={setPointed} onGo={focusPart} />}
      </div>
      <EditorFoot error={form.error} about={stateText(audience, sync.when !== 'hand')}>
        <Actions audience={audience} draft={draft} form={form} />
      </EditorFoot>
    </div>
  );
}

function Actions({ audience, draft, form: { wrong, save } }: EditorProps & { form: RuleForm }) {
  const { by, sync } = draft;
  return (
    <>
      <Button variant="ghost" onClick={() => discard(audience?.id ?? 'new', draft)}>
        Discard
      </Button>
      {sync.when === 'hand' && by !== 'import' && (
        <Button icon={ListChecks} disabled={wrong !== null} onClick={() => void save('dry-run')}>
          {audience === null || audience.lastSync === null
            ? 'Show what the first sync sends'
            : 'Show what the next sync sends'}
        </Button>
      )}
      <Button variant="primary" disabled={wrong !== null} onClick={() => void save('audience')}>
        {by === 'import' ? 'Save and import' : 'Save audience'} <Kbd>Ctrl S</Kbd>
      </Button>
    </>
  );
}

/** Members without a rule. */
const ListPart = ({ draft: { by, ids }, form: { read, change, errorAt } }: { draft: AudienceDraft; form: RuleForm }) =>
  by === 'hand' ? (
    <div className={css.rule}>
      <IdsField text={ids} read={read} error={errorAt('ids')} onText={(next) => change({ ids: next })} />
    </div>
  ) : (
    <p className={css.importHint}>Save the audience first. Then paste ids, or drop a CSV or NDJSON file.</p>
  );

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
