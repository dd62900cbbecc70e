/** A rule while a person edits it: the same tree, with texts as they were typed. Pure. */
import {
  type AudienceRuleInput,
  type AudienceRuleView,
  type CompareOp,
  type ComparisonView,
  type CountOp,
  type GroupMatch,
  RULE_LIMITS,
  type RuleConditionView,
} from '../../../../contract/people.ts';
import { wholeNumber } from '../../../lib/whole-number.ts';
import { parseValue, parseValues, type Scalar, valuesText, valueText } from './value-text.ts';

/** A comparison with the value at a path. */
export interface DraftTest {
  /** Names it within its rule, while it is edited. */
  readonly key: number;
  readonly path: string;
  readonly op: CompareOp;
  /** As typed; several values of `is_one_of` have commas between them. */
  readonly value: string;
}

export interface DraftTrait extends DraftTest {
  readonly kind: 'trait';
}

export interface DraftEvent {
  readonly kind: 'event';
  readonly key: number;
  readonly event: string;
  readonly op: CountOp;
  readonly times: string;
  /** Milliseconds of the retry clock; null for as long as calls are stored. */
  readonly withinMs: number | null;
  readonly where: readonly DraftTest[];
}

export type DraftCondition = DraftTrait | DraftEvent;

export interface DraftGroup {
  readonly kind: 'group';
  readonly key: number;
  readonly match: GroupMatch;
  readonly of: readonly DraftNode[];
}

export type DraftNode = DraftCondition | DraftGroup;

/** Which field of a condition or a test. */
export type DraftField = 'path' | 'value' | 'event' | 'times' | 'where';

export interface DraftProblem {
  readonly key: number;
  readonly field: DraftField;
  readonly text: string;
  /** True for a field that is still empty, which is said only when a person wants to save. */
  readonly isMissing: boolean;
}

export const EMPTY_DRAFT: DraftGroup = { kind: 'group', key: 0, match: 'all', of: [] };

/** A draft of a stored rule. */
export function draftOf(rule: AudienceRuleView): DraftGroup {
  let last = -1;
  const key = (): number => {
    last += 1;
    return last;
  };
  const testOf = ({ path, test }: { path: string; test: ComparisonView }): DraftTest => ({
    key: key(),
    path,
    op: test.op,
    value: textOf(test),
  });
  type Node = RuleConditionView | { kind: 'group'; match: GroupMatch; of: readonly Node[] };
  const nodeOf = (node: Node): DraftNode => {
    if (node.kind === 'trait') return { kind: 'trait', ...testOf(node) };
    if (node.kind === 'group') return { kind: 'group', key: key(), match: node.match, of: node.of.map(nodeOf) };
    const { event, op, times, withinMs, where } = node;
    return { kind: 'event', key: key(), event, op, times: String(times), withinMs, where: where.map(testOf) };
  };
  return nodeOf({ kind: 'group', ...rule }) as DraftGroup;
}

function textOf(test: ComparisonView): string {
  if (test.op === 'exists') return '';
  return test.op === 'is_one_of' ? valuesText(test.values) : valueText(test.value);
}

export interface CheckedDraft {
  /** Null while something is missing or wrong. */
  readonly rule: AudienceRuleInput | null;
  readonly problems: readonly DraftProblem[];
}

/** The rule that a draft says, or what is missing and wrong in it. */
export function checkDraft(root: DraftGroup): CheckedDraft {
  const problems: DraftProblem[] = [];
  const of = root.of.map((node) => checkNode(node, problems));
  const rule = problems.length === 0 ? ({ match: root.match, of } as AudienceRuleInput) : null;
  return { rule, problems };
}

function checkNode(node: DraftNode, problems: DraftProblem[]): unknown {
  if (node.kind === 'group')
    return { kind: 'group', match: node.match, of: node.of.map((child) => checkNode(child, problems)) };
  if (node.kind === 'trait') return { kind: 'trait', ...checkTest(node, problems, 'Choose a trait.') };
  const { key, event, op, withinMs } = node;
  const times = wholeNumber(node.times, 0, RULE_LIMITS.times);
  if (event === '') problems.push({ key, field: 'event', text: 'Choose an event.', isMissing: true });
  if (times === null) problems.push({ key, field: 'times', ...timesProblem(node.times) });
  const where = node.where.map((test) => checkTest(test, problems, 'Choose a property.'));
  return { kind: 'event', event, op, times, withinMs, where };
}

function timesProblem(typed: string): { text: string; isMissing: boolean } {
  if (typed.trim() === '') return { text: 'Type how many times.', isMissing: true };
  const isLarge = /^[\d,]+$/.test(typed.trim());
  const text = isLarge
    ? `At most ${RULE_LIMITS.times.toLocaleString('en-US')} times.`
    : `${typed.trim()} is not a whole number of times.`;
  return { text, isMissing: false };
}

/** A test for the contract. What is wrong in it is added to `problems`. */
export function checkTest(
  { key, path, op, value }: DraftTest,
  problems: DraftProblem[],
  noPath: string,
): { path: string; test: unknown } {
  if (path.trim() === '') problems.push({ key, field: 'path', text: noPath, isMissing: true });
  const problem = valueProblem(op, value);
  if (problem !== null) problems.push({ key, field: 'value', ...problem });
  return { path: path.trim(), test: comparisonOf(op, value) };
}

const DATE = /^\d{4}-\d{2}-\d{2}/;

function valueProblem(op: CompareOp, typed: string): { text: string; isMissing: boolean } | null {
  if (op === 'exists') return null;
  if (typed.trim() === '') return { text: 'Type a value.', isMissing: true };
  const wrong = (text: string) => ({ text, isMissing: false });
  switch (op) {
    case 'above':
    case 'below':
      return typeof parseValue(typed) === 'number' ? null : wrong(`${typed.trim()} is not a number.`);
    case 'before':
    case 'after':
      return DATE.test(typed.trim()) ? null : wrong('Type a date such as 2026-11-20.');
    case 'is_one_of': {
      const { length } = parseValues(typed);
      if (length === 0) return { text: 'Type a value.', isMissing: true };
      return length <= RULE_LIMITS.values ? null : wrong(`At most ${RULE_LIMITS.values} values.`);
    }
    default:
      return typed.length <= RULE_LIMITS.valueCharacters ? null : wrong('At most 1,000 characters.');
  }
}

function comparisonOf(op: CompareOp, typed: string): unknown {
  switch (op) {
    case 'exists':
      return { op };
    case 'is_one_of':
      return { op, values: parseValues(typed) };
    case 'starts_with':
    case 'ends_with':
      return { op, value: textValue(typed) };
    case 'before':
    case 'after':
      return { op, value: typed.trim() };
    default:
      return { op, value: parseValue(typed) };
  }
}

/** A text is wanted, so `5` is the text 5. */
function textValue(typed: string): string {
  const value: Scalar = parseValue(typed);
  return typeof value === 'string' ? value : typed.trim();
}
