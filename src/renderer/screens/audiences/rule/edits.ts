/** Changes of a draft. Each gives a new draft, or the same one where it cannot be done. Pure. */
import { RULE_LIMITS } from '../../../../contract/people.ts';
import type { DraftCondition, DraftGroup, DraftNode, DraftTest } from './draft.ts';

/** Conditions and groups in a draft, its outermost group left out. */
export const nodeCount = ({ of }: DraftGroup): number =>
  of.reduce((sum, node) => sum + 1 + (node.kind === 'group' ? nodeCount(node) : 0), 0);

/** A key that no node or test has. */
export function freeKey(root: DraftGroup): number {
  const highest = (node: DraftNode): number => {
    if (node.kind === 'group') return Math.max(node.key, ...node.of.map(highest));
    return node.kind === 'event' ? Math.max(node.key, ...node.where.map(({ key }) => key)) : node.key;
  };
  return highest(root) + 1;
}

export type ConditionKind = DraftCondition['kind'];

export const newCondition = (kind: ConditionKind, key: number): DraftCondition =>
  kind === 'trait'
    ? { kind, key, path: '', op: 'is', value: '' }
    : { kind, key, event: '', op: 'at_least', times: '1', withinMs: 7 * 86_400_000, where: [] };

export const newTest = (key: number): DraftTest => ({ key, path: '', op: 'is', value: '' });

/** The place of a node: the groups around it, outermost first, and its index in the last one. */
interface Place {
  readonly parents: readonly DraftGroup[];
  readonly index: number;
}

function placeOf(root: DraftGroup, key: number, parents: readonly DraftGroup[] = []): Place | null {
  const around = [...parents, root];
  for (const [index, node] of root.of.entries()) {
    if (node.key === key) return { parents: around, index };
    const inner = node.kind === 'group' ? placeOf(node, key, around) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/** Groups in a node that stand in one another, itself included; 0 for a condition. */
const depth = (node: DraftNode): number => (node.kind === 'group' ? 1 + Math.max(0, ...node.of.map(depth)) : 0);

/** The level of a group, from 1 for the outermost. */
export const levelOf = (root: DraftGroup, key: number): number =>
  key === root.key ? 1 : (placeOf(root, key)?.parents.length ?? 0) + 1;

/** Replaces what the group of this key holds. A group that becomes empty goes away, the outermost one stays. */
function refill(group: DraftGroup, key: number, fill: (of: readonly DraftNode[]) => readonly DraftNode[]): DraftGroup {
  const own = group.key === key ? fill(group.of) : group.of;
  const of = own
    .map((node) => (node.kind === 'group' ? refill(node, key, fill) : node))
    .filter((node) => node.kind !== 'group' || node.of.length > 0);
  return { ...group, of };
}

const hasRoom = (root: DraftGroup, more: number): boolean => nodeCount(root) + more <= RULE_LIMITS.nodes;

export const canAddCondition = (root: DraftGroup): boolean => hasRoom(root, 1);

export const canAddGroup = (root: DraftGroup, inGroup: number): boolean =>
  hasRoom(root, 2) && levelOf(root, inGroup) < RULE_LIMITS.levels;

export const addNode = (root: DraftGroup, inGroup: number, node: DraftNode): DraftGroup =>
  refill(root, inGroup, (of) => [...of, node]);

/** Replaces the node or test of the same key. */
export function replaceNode(root: DraftGroup, next: DraftNode): DraftGroup {
  const inside = (node: DraftNode): DraftNode => {
    if (node.key === next.key) return next;
    return node.kind === 'group' ? { ...node, of: node.of.map(inside) } : node;
  };
  return inside(root) as DraftGroup;
}

/** Takes a node away, and the groups that are empty then. */
export function removeNode(root: DraftGroup, key: number): DraftGroup {
  const parent = placeOf(root, key)?.parents.at(-1);
  return parent === undefined ? root : withoutNode(root, parent.key, key);
}

const withoutNode = (root: DraftGroup, inGroup: number, key: number): DraftGroup =>
  refill(root, inGroup, (of) => of.filter((node) => node.key !== key));

export type Direction = 'up' | 'down' | 'in' | 'out';

/**
 * Moves a node. `in`: into the group before it, or else the one after it. `out`: out of its group, behind it. The same
 * draft where there is no such place, and where more than three levels would come of it.
 */
export function moveNode(root: DraftGroup, key: number, direction: Direction): DraftGroup {
  const place = placeOf(root, key);
  if (place === null) return root;
  const { parents, index } = place;
  const parent = parents.at(-1)!;
  const node = parent.of[index]!;
  switch (direction) {
    case 'up':
    case 'down': {
      const to = index + (direction === 'up' ? -1 : 1);
      if (to < 0 || to >= parent.of.length) return root;
      return refill(root, parent.key, (of) => of.with(index, of[to]!).with(to, node));
    }
    case 'in': {
      const before = parent.of[index - 1];
      const group = before?.kind === 'group' ? before : parent.of[index + 1];
      if (group?.kind !== 'group' || parents.length + 1 + depth(node) > RULE_LIMITS.levels) return root;
      const isBefore = group === before;
      const taken = refill(root, parent.key, (of) => of.filter((one) => one !== node));
      return refill(taken, group.key, (of) => (isBefore ? [...of, node] : [node, ...of]));
    }
    case 'out': {
      const outer = parents.at(-2);
      if (outer === undefined) return root;
      const added = refill(root, outer.key, (of) => of.toSpliced(of.indexOf(parent) + 1, 0, node));
      return withoutNode(added, parent.key, key);
    }
  }
}

/** Ids as the engine gives them: numbers and letters in turn, `1`, `3a`, `3b1`. The outermost group has the empty id. */
export function nodeIds(root: DraftGroup): ReadonlyMap<number, string> {
  const ids = new Map<number, string>();
  const add = (node: DraftNode, id: string, level: number): void => {
    ids.set(node.key, id);
    if (node.kind !== 'group') return;
    for (const [place, child] of node.of.entries()) add(child, id + placeName(place, level), level + 1);
  };
  add(root, '', 0);
  return ids;
}

/** A number on even levels, a letter on odd ones; after `z` comes `aa`. */
function placeName(place: number, level: number): string {
  if (level % 2 === 0) return String(place + 1);
  const letter = String.fromCharCode(97 + (place % 26));
  return place < 26 ? letter : placeName(Math.floor(place / 26) - 1, level) + letter;
}

/** Every node in the order in which it is drawn, the outermost group first. */
export const flatNodes = (node: DraftNode): DraftNode[] => [
  node,
  ...(node.kind === 'group' ? node.of.flatMap(flatNodes) : []),
];
