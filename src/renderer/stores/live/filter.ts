/** The filter of the live stream as a value. `tokens.ts` parses it from text. */
import type { MessageFilter } from '../../../contract/commands.ts';
import { type Cell, LOUD_REASONS, type Mark } from '../../../contract/names.ts';
import type { CallTypeName, MessageRow, MessageStateName, SourceView } from '../../../contract/values.ts';
import { HOOK_RESULTS } from './hook-results.ts';

export interface Query {
  readonly text: string;
  readonly states: readonly MessageStateName[];
  readonly types: readonly CallTypeName[];
  readonly user: string | null;
  readonly sourceId: number | null;
  readonly is: readonly Mark[];
  readonly note: string | null;
  readonly reason: string | null;
  /** `503` or `5xx`. */
  readonly code: string | null;
  readonly hook: { readonly slot: number; readonly cell?: Cell } | null;
}

export const emptyQuery: Query = {
  text: '',
  states: [],
  types: [],
  user: null,
  sourceId: null,
  is: [],
  note: null,
  reason: null,
  code: null,
  hook: null,
};

/** A part of a query that can be shown and removed on its own. */
export interface Token {
  /** As typed: `type:track`. */
  readonly text: string;
  readonly without: Query;
}

/** The contract's limit for the text, also the limit of the field. */
export const MAX_TEXT = 500;

export const isEmpty = (query: Query): boolean =>
  query.text.trim() === '' &&
  query.states.length === 0 &&
  query.types.length === 0 &&
  query.user === null &&
  query.sourceId === null &&
  query.is.length === 0 &&
  query.note === null &&
  query.reason === null &&
  query.code === null &&
  query.hook === null;

/** The filter that the engine gets. */
export function toFilter(query: Query): MessageFilter {
  const text = query.text.trim();
  return {
    ...(text !== '' && { text }),
    ...(query.states.length > 0 && { states: [...query.states] }),
    ...(query.types.length > 0 && { types: [...query.types] }),
    ...(query.user !== null && { user: query.user }),
    ...(query.sourceId !== null && { sourceId: query.sourceId }),
    ...(query.is.length > 0 && { is: [...query.is] }),
    ...(query.note !== null && { note: query.note }),
    ...(query.reason !== null && { reason: query.reason }),
    ...(query.code !== null && { code: query.code }),
    ...(query.hook !== null && { hook: query.hook }),
  };
}

/** True when a row alone cannot show whether it matches, because text searches the body and a status the attempts. */
export const needsEngine = ({ text, user, code, hook }: MessageFilter): boolean =>
  text !== undefined || user !== undefined || code !== undefined || (hook !== undefined && hook.cell === undefined);

/** Whether the row matches those parts of the filter that a row can decide. */
export function rowMatches(filter: MessageFilter, row: MessageRow): boolean {
  if (filter.states !== undefined && !filter.states.includes(row.state)) return false;
  if (filter.types !== undefined && !filter.types.includes(row.type)) return false;
  if (filter.sourceId !== undefined && filter.sourceId !== row.sourceId) return false;
  if (filter.note !== undefined && !row.notes.some(({ code }) => code === filter.note)) return false;
  if (filter.reason !== undefined && filter.reason !== row.reason) return false;
  if (filter.hook?.cell !== undefined && row.cells[filter.hook.slot - 1] !== filter.hook.cell) return false;
  return (filter.is ?? []).every((mark) => hasMark(mark, row));
}

/** As the engine answers `is`. */
export function hasMark(mark: Mark, row: MessageRow): boolean {
  switch (mark) {
    case 'dropped':
    case 'silent':
      return row.state === 'rejected' && !isLoud(row);
    case 'noted':
      return row.notes.length > 0;
    case 'repeated':
      return row.repeats > 0;
    case 'replayed':
      return row.replays > 0;
  }
}

const isLoud = ({ reason }: MessageRow): boolean => (LOUD_REASONS as readonly (string | null)[]).includes(reason);

/** `not-selected`: how a state is written in a token. */
export const stateToken = (state: MessageStateName): string => state.replaceAll('_', '-');

const quoted = (text: string): string => (/[\s"]/.test(text) ? `"${text.replaceAll('"', '')}"` : text);

export function tokensOf(query: Query, sources: readonly SourceView[]): Token[] {
  const tokens: Token[] = [];
  for (const type of query.types) tokens.push({ text: `type:${type}`, without: toggleType(query, type) });
  for (const state of query.states) {
    tokens.push({ text: `status:${stateToken(state)}`, without: toggleState(query, state) });
  }
  if (query.sourceId !== null) {
    const name = sources.find(({ id }) => id === query.sourceId)?.name ?? String(query.sourceId);
    tokens.push({ text: `source:${quoted(name)}`, without: { ...query, sourceId: null } });
  }
  if (query.user !== null) tokens.push({ text: `user:${quoted(query.user)}`, without: { ...query, user: null } });
  for (const mark of query.is) tokens.push({ text: `is:${mark}`, without: toggleMark(query, mark) });
  if (query.note !== null) tokens.push({ text: `note:${codeToken(query.note)}`, without: { ...query, note: null } });
  if (query.reason !== null)
    tokens.push({ text: `reason:${codeToken(query.reason)}`, without: { ...query, reason: null } });
  if (query.code !== null) tokens.push({ text: `code:${query.code}`, without: { ...query, code: null } });
  if (query.hook !== null) tokens.push({ text: hookToken(query.hook), without: { ...query, hook: null } });
  return tokens;
}

const toggled = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

export const toggleType = (query: Query, type: CallTypeName): Query => ({
  ...query,
  types: toggled(query.types, type),
});
export const toggleState = (query: Query, state: MessageStateName): Query => ({
  ...query,
  states: toggled(query.states, state),
});

export const toggleMark = (query: Query, mark: Mark): Query => ({ ...query, is: toggled(query.is, mark) });

const codeToken = (code: string): string => code.replaceAll('_', '-');

function hookToken({ slot, cell }: NonNullable<Query['hook']>): string {
  const result = Object.keys(HOOK_RESULTS).find((name) => HOOK_RESULTS[name] === cell);
  return `hook:${slot}${result === undefined ? '' : `=${result}`}`;
}
