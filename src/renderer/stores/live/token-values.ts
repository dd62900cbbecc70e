/** The meaning of each token in the filter field: `type:track`, `hook:3=timeout`. */
import { MARKS, MESSAGE_STATES, MESSAGE_TYPES } from '../../../contract/names.ts';
import type { SourceView } from '../../../contract/values.ts';
import type { Query } from './filter.ts';
import { HOOK_RESULTS } from './hook-results.ts';
import { distance } from './near-key.ts';

export type Value =
  | { readonly kind: 'query'; readonly query: Query }
  /** The token is not finished. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'wrong'; readonly problem: string };

const KEYS = ['type', 'status', 'source', 'user', 'hook', 'code', 'is', 'note', 'reason'] as const;
type Key = (typeof KEYS)[number];
const isKey = (key: string): key is Key => (KEYS as readonly string[]).includes(key);

/** What must follow each key. */
const NEEDS: Record<Key, string> = {
  type: `a call: ${MESSAGE_TYPES.join(', ')}`,
  status: 'a state, such as retrying',
  source: 'the name of a source',
  user: 'a user id',
  hook: 'a webhook: hook:3, or hook:3=timeout for its last result',
  code: 'a status: code:503, or code:5xx for all of them',
  is: 'dropped, noted, repeated or replayed',
  note: 'the code of a note',
  reason: 'the code of a reason',
};

/** The error for a key without a usable value. */
export const needsText = (key: string): string => `${key}: needs ${NEEDS[key as Key]}.`;

/** The query with this token in its place. */
export function readValue(
  query: Query,
  { key, value }: { key: string; value: string },
  sources: readonly SourceView[],
): Value {
  if (!isKey(key)) return { kind: 'wrong', problem: unknownKey(key) };
  if (value === '') return { kind: 'begun' };
  const wanted = value.toLowerCase();
  switch (key) {
    case 'type':
      return several(wanted, MESSAGE_TYPES, NEEDS.type, 'type', (types) => ({
        ...query,
        types: union(query.types, types),
      }));
    case 'status':
      return several(wanted, MESSAGE_STATES, `one of ${STATE_TOKENS}`, 'status', (states) => ({
        ...query,
        states: union(query.states, states),
      }));
    case 'source': {
      const source = sources.find(({ name }) => name.toLowerCase() === wanted);
      if (source !== undefined) return { kind: 'query', query: { ...query, sourceId: source.id } };
      if (sources.some(({ name }) => name.toLowerCase().startsWith(wanted))) return { kind: 'begun' };
      return { kind: 'wrong', problem: `There is no source ${value}.` };
    }
    case 'is':
      return several(wanted, MARKS, NEEDS.is, 'is', (is) => ({ ...query, is: union(query.is, is) }));
    case 'hook':
      return hookValue(query, wanted);
    case 'code':
      if (/^[1-5](\d\d|xx)$/.test(wanted)) return { kind: 'query', query: { ...query, code: wanted } };
      if (/^[1-5](\d|x)?$/.test(wanted)) return { kind: 'begun' };
      return { kind: 'wrong', problem: `code: needs ${NEEDS.code}.` };
    case 'note':
    case 'reason': {
      const code = wanted.replaceAll('-', '_');
      if (!/^[a-z][a-z_]{0,58}$/.test(code))
        return { kind: 'wrong', problem: `${key}: needs ${NEEDS[key]}, such as ${EXAMPLES[key]}.` };
      return { kind: 'query', query: { ...query, [key]: code } };
    }
    case 'user':
      return { kind: 'query', query: { ...query, user: value } };
  }
}

const EXAMPLES = { note: 'duplicate-key', reason: 'no-user-anon-id' };
const STATE_TOKENS = MESSAGE_STATES.map((state) => state.replaceAll('_', '-')).join(', ');
const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])];

/** Names with commas between them. */
function several<T extends string>(
  value: string,
  known: readonly T[],
  needs: string,
  key: string,
  take: (names: T[]) => Query,
): Value {
  const names: T[] = [];
  const parts = value.replaceAll('-', '_').split(',');
  for (const [i, part] of parts.entries()) {
    const name = known.find((one) => one === part);
    if (name !== undefined) names.push(name);
    else if (part !== '' || i !== parts.length - 1) {
      if (i === parts.length - 1 && known.some((one) => one.startsWith(part))) return { kind: 'begun' };
      return { kind: 'wrong', problem: `There is no ${key}:${part.replaceAll('_', '-')}. It is ${needs}.` };
    }
  }
  return { kind: 'query', query: take(names) };
}

function hookValue(query: Query, value: string): Value {
  const [, slot, equals, result] = /^([1-5])(?:(=)(.*))?$/.exec(value) ?? [];
  if (slot === undefined) return { kind: 'wrong', problem: `hook: needs ${NEEDS.hook}.` };
  if (equals === undefined) return { kind: 'query', query: { ...query, hook: { slot: Number(slot) } } };
  const name = (result ?? '').replaceAll('_', '-');
  const cell = Object.hasOwn(HOOK_RESULTS, name) ? HOOK_RESULTS[name] : undefined;
  if (cell !== undefined) return { kind: 'query', query: { ...query, hook: { slot: Number(slot), cell } } };
  if (Object.keys(HOOK_RESULTS).some((one) => one.startsWith(name))) return { kind: 'begun' };
  return {
    kind: 'wrong',
    problem: `There is no result ${name}. It is one of ${Object.keys(HOOK_RESULTS).join(', ')}.`,
  };
}

function unknownKey(key: string): string {
  const near = KEYS.find((known) => distance(key.replace(/^-/, ''), known) <= 1);
  const help = near === undefined ? 'Put it in quotes to search for it as text.' : `Did you mean ${near}:?`;
  return `There is no filter ${key}:. ${help}`;
}
