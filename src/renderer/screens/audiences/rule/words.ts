/** Texts of the rule editor (design/ui, section 17). Pure. */
import {
  COMPARE_OPS,
  COMPARE_WORDS,
  COUNT_OPS,
  COUNT_WORDS,
  type GroupMatch,
  type NodeReasonView,
  type PersonReasonView,
  type RuleView,
} from '../../../../contract/people.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import type { DraftCondition, DraftEvent, DraftGroup, DraftNode, DraftTest } from './draft.ts';
import { flatNodes, nodeIds } from './edits.ts';

export const COMPARE_OPTIONS = COMPARE_OPS.map((value) => ({ value, label: COMPARE_WORDS[value] }));
export const COUNT_OPTIONS = COUNT_OPS.map((value) => ({ value, label: COUNT_WORDS[value] }));
export const MATCH_OPTIONS: ReadonlyArray<{ value: GroupMatch; label: string }> = [
  { value: 'all', label: 'All' },
  { value: 'any', label: 'Any' },
  { value: 'none', label: 'None' },
];

/** What stands behind the choice of a group: `All` of these are true. */
export const matchText = (match: GroupMatch): string => (match === 'all' ? 'of these are true' : 'of these is true');

/** Before the second and every further part of a group. */
export const joinWord = (match: GroupMatch): string => (match === 'all' ? 'and' : 'or');

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['ms', 1],
] as const;

/** `7 days`, `1 hour`. */
export function windowText(ms: number): string {
  const [unit, length] = UNITS.find(([, one]) => ms % one === 0)!;
  return unit === 'ms' ? `${formatCount(ms)} ms` : plural(ms / length, unit);
}

const WINDOWS = [3_600_000, 86_400_000, 7 * 86_400_000, 30 * 86_400_000, 90 * 86_400_000];

/** The windows to choose from; one that a file has given is among them. */
export function windowOptions(withinMs: number | null): Array<{ value: string; label: string }> {
  const windows = withinMs === null || WINDOWS.includes(withinMs) ? WINDOWS : [...WINDOWS, withinMs];
  return [
    ...windows.toSorted((a, b) => a - b).map((ms) => ({ value: String(ms), label: `last ${windowText(ms)}` })),
    { value: '', label: 'all time' },
  ];
}

const testText = ({ path, op, value }: DraftTest): string =>
  `${path || 'a trait'} ${COMPARE_WORDS[op]}${op === 'exists' ? '' : ` ${value}`}`;

function eventText({ event, op, times, withinMs, where }: DraftEvent): string {
  const within = withinMs === null ? '' : ` in the last ${windowText(withinMs)}`;
  const filter = where.length === 0 ? '' : ` where ${where.map(testText).join(' and ')}`;
  return `${event || 'an event'} ${COUNT_WORDS[op]} ${times} ${timesWord(times)}${within}${filter}`;
}

export const timesWord = (times: string): string => (times.trim() === '1' ? 'time' : 'times');

/** What a node says, for a screen reader. */
export function nodeText(node: DraftNode): string {
  if (node.kind === 'group') return `${MATCH_OPTIONS.find(({ value }) => value === node.match)!.label} of these`;
  return node.kind === 'trait' ? testText(node) : eventText(node);
}

/** What an edit has changed: `at least 4 became at least 3`. */
export function editText(before: DraftGroup, after: DraftGroup): string {
  const old = new Map(flatNodes(before).map((node) => [node.key, node]));
  const now = new Map(flatNodes(after).map((node) => [node.key, node]));
  const added = [...now.values()].filter(({ key }) => !old.has(key));
  const removed = [...old.values()].filter(({ key }) => !now.has(key));
  if (added.length > 0 && removed.length > 0) return 'another rule';
  const changes = [
    ...outermost(added).map((node) => `${nameOf(node, after)} added`),
    ...outermost(removed).map((node) => `${nameOf(node, before)} removed`),
    ...[...now.values()].flatMap((node) => (old.has(node.key) ? nodeChange(old.get(node.key)!, node) : [])),
  ];
  const [first] = changes;
  if (first === undefined) return 'moved';
  return changes.length === 1 ? first : `${plural(changes.length, 'change')}`;
}

/** Those that are in no other of them: a group comes and goes with what is in it. */
function outermost(nodes: readonly DraftNode[]): DraftNode[] {
  const inside = new Set(
    nodes.flatMap((node) => (node.kind === 'group' ? node.of.flatMap(flatNodes) : [])).map(({ key }) => key),
  );
  return nodes.filter(({ key }) => !inside.has(key));
}

function nameOf({ key, kind }: DraftNode, root: DraftGroup): string {
  const id = nodeIds(root).get(key) ?? '';
  return kind === 'group' ? `group ${id}` : `condition ${id}`;
}

const became = (before: string, after: string): string[] => (before === after ? [] : [`${before} became ${after}`]);

function nodeChange(before: DraftNode, after: DraftNode): string[] {
  if (before.kind === 'group' && after.kind === 'group') return became(matchWord(before), matchWord(after));
  if (before.kind === 'event' && after.kind === 'event') return eventChange(before, after);
  return became(nodeText(before), nodeText(after));
}

const matchWord = ({ match }: DraftGroup): string => MATCH_OPTIONS.find(({ value }) => value === match)!.label;

function eventChange(before: DraftEvent, after: DraftEvent): string[] {
  const number = ({ op, times }: DraftEvent): string => `${COUNT_WORDS[op]} ${times}`;
  const window = ({ withinMs }: DraftEvent): string => (withinMs === null ? 'all time' : windowText(withinMs));
  const filter = ({ where }: DraftEvent): string => where.map(testText).join(' and ') || 'no filter';
  return [
    ...became(before.event, after.event),
    ...became(number(before), number(after)),
    ...became(window(before), window(after)),
    ...became(filter(before), filter(after)),
  ];
}

// Why somebody is in, or not

/** A number or a part of the rule, and what it is for a person. */
export interface Why {
  readonly id: string;
  readonly key: number;
  readonly text: string;
}

/** The numbers that let a member in: what each part of the rule found. */
export function whyIn(person: PersonReasonView, root: DraftGroup, clockNow: number): Why[] {
  const ids = nodeIds(root);
  const reasons = new Map(person.nodes.map((reason) => [reason.id, reason]));
  const whyOf = (node: DraftNode): Why[] => {
    const id = ids.get(node.key)!;
    const reason = reasons.get(id);
    if (reason === undefined) return [];
    if (node.kind !== 'group') return [{ id, key: node.key, text: foundText(node, reason, clockNow) }];
    if (!reason.holds) return [];
    if (node.match === 'none') return [{ id, key: node.key, text: 'none of these' }];
    const holding = node.of.filter((child) => reasons.get(ids.get(child.key)!)?.holds);
    return holding.flatMap(whyOf);
  };
  if (root.match === 'none') return [{ id: '', key: root.key, text: 'none of these' }];
  return root.of.filter((node) => reasons.get(ids.get(node.key)!)?.holds).flatMap(whyOf);
}

/** A member is told to leave soon when so much of a window is over. */
const NEARLY_OVER = 0.9;
const DAY = 86_400_000;

/** `AT`, `4 times`, `3 times, oldest 6.9 days`. */
function foundText(node: DraftCondition, reason: NodeReasonView, clockNow: number): string {
  if (node.kind === 'trait') return traitText(node, reason.value);
  const { count = 0, oldestAtClock = null } = reason;
  const times = plural(count, 'time');
  if (oldestAtClock === null || node.withinMs === null) return times;
  const age = clockNow - oldestAtClock;
  return age < node.withinMs * NEARLY_OVER ? times : `${times}, oldest ${ageText(age)}`;
}

const ageText = (ms: number): string =>
  ms >= DAY ? `${(Math.floor((ms / DAY) * 10) / 10).toFixed(1)} days` : `${Math.floor(ms / 60_000)} min`;

function traitText({ path }: DraftTest, value: unknown): string {
  if (value === undefined || value === null) return `no ${lastPart(path)}`;
  if (value === true) return lastPart(path);
  if (value === false) return `not ${lastPart(path)}`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}\u2026` : text;
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Why a user is not in: the first condition that fails, and whether it is the only one. */
export function whyOut(person: PersonReasonView, root: DraftGroup): { id: string; key: number; text: string } | null {
  if (person.firstFailing === null) return null;
  const ids = nodeIds(root);
  const node = flatNodes(root).find(({ key }) => ids.get(key) === person.firstFailing);
  const reason = person.nodes.find(({ id }) => id === person.firstFailing);
  if (node === undefined || reason === undefined) return null;
  const others = person.nodes.filter(({ id }) => !/[a-z]/.test(id) && !isWithin(person.firstFailing!, id));
  const restFits = root.match === 'all' && others.length > 0 && others.every(({ holds }) => holds);
  const text = `${failText(node, reason)}${restFits ? ' All else fits.' : ''}`;
  return { id: person.firstFailing, key: node.key, text };
}

/** Whether the part `id` is inside the top part `top`, or is it. */
const isWithin = (id: string, top: string): boolean => Number.parseInt(id, 10) === Number.parseInt(top, 10);

function failText(node: DraftNode, reason: NodeReasonView): string {
  if (node.kind === 'group') return node.match === 'none' ? 'One of these is true.' : 'None of these is true.';
  if (node.kind === 'event') {
    const within = node.withinMs === null ? '' : ` in ${windowText(node.withinMs)}`;
    const found = `${plural(reason.count ?? 0, 'time')}${within}`;
    return reason.holds ? `${found}, which rules it out.` : `${found}, ${neededText(node)}.`;
  }
  const found =
    reason.value === undefined || reason.value === null
      ? `${node.path} has no value`
      : `${node.path} is ${typeof reason.value === 'string' ? reason.value : JSON.stringify(reason.value)}`;
  return reason.holds ? `${found}, which rules it out.` : `${found}.`;
}

const neededText = ({ op, times }: DraftEvent): string =>
  op === 'at_least' ? `${times} needed` : op === 'at_most' ? `at most ${times} allowed` : `exactly ${times} needed`;

/** Why the next member leaves: `an Order Completed gets older than 7 days`. */
export function leaveText({ nextLeave }: RuleView, root: DraftGroup): string {
  const ids = nodeIds(root);
  const node = flatNodes(root).find(({ key }) => ids.get(key) === nextLeave?.id);
  if (node?.kind !== 'event' || node.withinMs === null) return 'a call gets too old';
  const article = /^[aeiou]/i.test(node.event) ? 'an' : 'a';
  return `${article} ${node.event} gets older than ${windowText(node.withinMs)}`;
}

/** The windows of a rule, shortest first. */
export function windowsOf(root: DraftGroup): number[] {
  const windows = flatNodes(root).flatMap((node) => (node.kind === 'event' ? [node.withinMs] : []));
  return [...new Set(windows)].filter((ms): ms is number => ms !== null).sort((a, b) => a - b);
}
