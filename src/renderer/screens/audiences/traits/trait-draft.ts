/** The definition of a computed trait while a person edits it, with texts as they were typed. Pure. */
import type {
  ComparisonView,
  ComputedKind,
  ComputedTraitInput,
  ComputedTraitView,
} from '../../../../contract/people.ts';
import { checkTest, type DraftProblem, type DraftTest } from '../rule/draft.ts';
import { valuesText, valueText } from '../rule/value-text.ts';

export interface TraitDraft {
  readonly kind: ComputedKind;
  /** Empty for every call. */
  readonly event: string;
  readonly path: string;
  readonly where: readonly DraftTest[];
  /** Milliseconds of the retry clock; null for as long as calls are stored. */
  readonly withinMs: number | null;
}

/** The key that problems of the definition itself have; filters have keys from 0. */
export const OWN_KEY = -1;

export const NEW_TRAIT: TraitDraft = { kind: 'count', event: '', path: '', where: [], withinMs: null };

/** Counting calls and the first of them look at no value of the call. */
export const needsPath = (kind: ComputedKind): boolean => kind !== 'count' && kind !== 'first_seen';

export const traitDraftOf = ({ kind, event, path, where, withinMs }: ComputedTraitView): TraitDraft => ({
  kind,
  event: event ?? '',
  path: path ?? '',
  where: where.map(({ path: at, test }, key) => ({ key, path: at, op: test.op, value: textOf(test) })),
  withinMs,
});

function textOf(test: ComparisonView): string {
  if (test.op === 'exists') return '';
  return test.op === 'is_one_of' ? valuesText(test.values) : valueText(test.value);
}

export interface CheckedTrait {
  /** Null while something is missing or wrong. */
  readonly trait: ComputedTraitInput | null;
  readonly problems: readonly DraftProblem[];
}

/** The definition that a draft says, or what is missing and wrong in it. */
export function checkTrait({ kind, event, path, where, withinMs }: TraitDraft): CheckedTrait {
  const problems: DraftProblem[] = [];
  const hasPath = needsPath(kind);
  if (hasPath && path.trim() === '')
    problems.push({
      key: OWN_KEY,
      field: 'path',
      text: 'Choose a property, such as properties.total.',
      isMissing: true,
    });
  const tests = where.map((test) => checkTest(test, problems, 'Choose a property.'));
  const trait = {
    kind,
    event: event === '' ? null : event,
    path: hasPath ? path.trim() : null,
    where: tests,
    withinMs,
  } as ComputedTraitInput;
  return { trait: problems.length === 0 ? trait : null, problems };
}

/** Whether two drafts say the same. */
export const sameDraft = (a: TraitDraft, b: TraitDraft): boolean =>
  JSON.stringify(checkTrait(a)) === JSON.stringify(checkTrait(b));

/** What the values are counted in: `EUR` where the filter says that the currency is that. Null when nothing says so. */
export function unitOf({ kind, where }: TraitDraft): string | null {
  if (kind !== 'sum' && kind !== 'last') return null;
  const test = where.find(({ path, op }) => op === 'is' && /(^|\.)(currency|unit)$/i.test(path.trim()));
  return test === undefined || test.value.trim() === '' ? null : test.value.trim().replace(/^"(.*)"$/, '$1');
}
