/** The filter of the live stream: free text and the tokens `type:`, `status:`, `source:`, `user:`, `is:`, `note:` and `reason:`. */
import type { MessageFilter } from '../../contract/commands.ts';
import { callTypes, loudReasons, type Mark, marks, messageStates } from '../../contract/names.ts';
import type { CallTypeName, MessageRow, MessageStateName, SourceView } from '../../contract/values.ts';

export interface Query {
  readonly text: string;
  readonly states: readonly MessageStateName[];
  readonly types: readonly CallTypeName[];
  readonly user: string | null;
  readonly sourceId: number | null;
  readonly is: readonly Mark[];
  readonly note: string | null;
  readonly reason: string | null;
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
};

/** A part of a query that can be shown and taken away by itself. */
export interface Token {
  /** As typed: `type:track`. */
  readonly text: string;
  readonly without: Query;
}

/** The contract's longest text; the field stops there. */
export const MAX_TEXT = 500;

export const isEmpty = (query: Query): boolean =>
  query.text.trim() === '' &&
  query.states.length === 0 &&
  query.types.length === 0 &&
  query.user === null &&
  query.sourceId === null &&
  query.is.length === 0 &&
  query.note === null &&
  query.reason === null;

/** What the engine is asked. */
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
  };
}

/** True when a row alone cannot tell whether it matches: text looks into the body, and users are compared there. */
export const needsEngine = (filter: MessageFilter): boolean => filter.text !== undefined || filter.user !== undefined;

/** Whether the parts that a row can answer match. */
export function rowMatches(filter: MessageFilter, row: MessageRow): boolean {
  if (filter.states !== undefined && !filter.states.includes(row.state)) return false;
  if (filter.types !== undefined && !filter.types.includes(row.type)) return false;
  if (filter.sourceId !== undefined && filter.sourceId !== row.sourceId) return false;
  if (filter.note !== undefined && !row.notes.some(({ code }) => code === filter.note)) return false;
  if (filter.reason !== undefined && filter.reason !== row.reason) return false;
  return (filter.is ?? []).every((mark) => hasMark(mark, row));
}

/** As the engine answers `is`. */
export function hasMark(mark: Mark, row: MessageRow): boolean {
  switch (mark) {
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

/** A batch over 500 KB is answered 400, one of more than 2,500 calls 200. */
function isLoud({ reason, reasonDetail }: MessageRow): boolean {
  if (reason === 'batch_too_large') return !(reasonDetail ?? '').endsWith(' calls');
  return (loudReasons as readonly (string | null)[]).includes(reason);
}

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
const isCode = (text: string): boolean => /^[a-z][a-z_]{1,58}$/.test(text);

const TOKEN = /(^|\s)(type|status|source|user|is|note|reason):(?:"([^"]*)"|([^\s"]+))(?=(\s|$))/gi;

/**
 * Takes finished tokens out of the text. A token is finished when a blank follows it, or with `all` (Enter was
 * pressed). What names no known type, state or source stays text.
 */
export function takeTokens(query: Query, sources: readonly SourceView[], all = false): Query {
  let next = query;
  const text = query.text.replace(
    TOKEN,
    (whole, lead: string, key: string, inQuotes?: string, bare?: string, end?: string) => {
      if (end === '' && !all) return whole;
      const taken = withToken(next, key.toLowerCase(), inQuotes ?? bare ?? '', sources);
      if (taken === null) return whole;
      next = taken;
      return lead;
    },
  );
  if (next === query) return query;
  const rest = text.replace(/\s{2,}/g, ' ').trimStart();
  return { ...next, text: all ? rest.trimEnd() : rest };
}

function withToken(query: Query, key: string, value: string, sources: readonly SourceView[]): Query | null {
  const wanted = value.toLowerCase();
  switch (key) {
    case 'type': {
      const type = callTypes.find((name) => name === wanted);
      return type === undefined ? null : { ...query, types: [...new Set([...query.types, type])] };
    }
    case 'status': {
      const state = messageStates.find((name) => name === wanted.replaceAll('-', '_'));
      return state === undefined ? null : { ...query, states: [...new Set([...query.states, state])] };
    }
    case 'source': {
      const source = sources.find(({ name }) => name.toLowerCase() === wanted);
      return source === undefined ? null : { ...query, sourceId: source.id };
    }
    case 'is': {
      const mark = marks.find((name) => name === wanted);
      return mark === undefined ? null : { ...query, is: [...new Set([...query.is, mark])] };
    }
    case 'note':
    case 'reason': {
      const code = wanted.replaceAll('-', '_');
      return isCode(code) ? { ...query, [key]: code } : null;
    }
    default:
      return value === '' ? null : { ...query, user: value };
  }
}
