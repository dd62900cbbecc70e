/** The table of the SDK matrix: one line for each client, version and kind of call. */
import type { MessageRow } from '../../src/contract/values.ts';
import type { Bench, Seen } from './bench.ts';

export interface Line {
  readonly client: string;
  readonly version: string;
  readonly call: string;
  readonly path: string;
  readonly keyIn: string;
  readonly arrivedAs: string;
  readonly notes: string;
}

const HEAD = ['client', 'version', 'call', 'path', 'key in', 'arrived as', 'notes'];
export const BEGIN = '<!-- sdk-matrix: begin; written by npm run sdk-matrix -- --write -->';
export const END = '<!-- sdk-matrix: end -->';

/** Lines of what a client has sent since the last time. Throws when a call did not arrive. */
export async function linesOf(bench: Bench, client: string, version: string, more: string[] = []): Promise<Line[]> {
  const seen = bench.taken();
  const refused = seen.filter(({ status }) => status !== 200);
  if (refused.length > 0) throw new Error(`${client} ${version}: answered ${refused.map(({ status }) => status)}`);
  const calls = seen.flatMap((one) => one.calls.map((call) => ({ one, call })));
  if (calls.length === 0) throw new Error(`${client} ${version}: nothing arrived`);
  const rows = await bench.rowsOf(calls.map(({ call }) => String(call.messageId)));
  const lines = calls.map(({ one, call }) => {
    const row = rows.get(String(call.messageId)) as MessageRow;
    return {
      client,
      version,
      call: typeof call.type === 'string' ? call.type : (/pixel\/(\w+)/.exec(one.request.target)?.[1] ?? ''),
      path: `${one.request.method} ${one.request.target.replace(/\?.*/, '?…')}`,
      keyIn: keyIn(one, call),
      arrivedAs: arrivedAs(row),
      notes: [...more, ...notesOf(one, row)].join('; '),
    };
  });
  return lines.sort((a, b) => order(a.call) - order(b.call));
}

const KINDS = ['identify', 'track', 'page', 'screen', 'group', 'alias'];
const order = (kind: string): number => KINDS.indexOf(kind);

function headerOf({ request }: Seen, name: string): string | null {
  return request.headers.find(([given]) => given.toLowerCase() === name)?.[1] ?? null;
}

function keyIn(one: Seen, call: Readonly<Record<string, unknown>>): string {
  const places: string[] = [];
  const authorization = headerOf(one, 'authorization');
  if (authorization !== null) places.push(/^\w+/.exec(authorization)?.[0] ?? '');
  if (one.request.target.includes('/pixel/')) places.push('query');
  else if (typeof one.body.writeKey === 'string') places.push('body');
  if (call !== one.body && typeof call.writeKey === 'string') places.push('call');
  return places.join(' + ');
}

const arrivedAs = ({ type, state, reason }: MessageRow): string =>
  state === 'delivered' ? type : `${type}, ${state}${reason === null ? '' : `: ${reason}`}`;

/** Notes that depend on the clocks of this run are left out. */
const NOTE_WORDS: Readonly<Record<string, string>> = {
  id_number_to_string: 'number as id made text',
  message_id_assigned: 'messageId assigned',
  integrations_lower_case_all: '`all` counts as `All`',
};

function notesOf(one: Seen, { notes }: MessageRow): string[] {
  const type = headerOf(one, 'content-type');
  const encoding = headerOf(one, 'content-encoding');
  const chunked = headerOf(one, 'transfer-encoding') === 'chunked';
  const plain = type === null ? one.request.method === 'GET' : /^application\/json(?:; ?charset=utf-8)?$/i.test(type);
  return [
    ...(one.request.secure === true ? ['https'] : []),
    ...(plain ? [] : [type ?? 'no Content-Type']),
    ...(encoding === null ? [] : [encoding]),
    ...(chunked ? ['chunked'] : []),
    ...new Set(notes.map(({ code }) => NOTE_WORDS[code]).filter((words) => words !== undefined)),
  ];
}

const cellsOf = ({ client, version, call, path, keyIn: key, arrivedAs: as, notes }: Line): string[] => [
  ...[client, version, call],
  ...[`\`${path}\``, key, as, notes],
];

/** Calls of one client that differ in nothing but their kind share a line. */
export function markdown(lines: readonly Line[]): string {
  const rows = grouped(lines).map((line) => `| ${cellsOf(line).join(' | ')} |`);
  return [`| ${HEAD.join(' | ')} |`, `|${HEAD.map(() => '---').join('|')}|`, ...rows].join('\n');
}

/** A call that arrives as its own kind says nothing but "the same". */
export function grouped(lines: readonly Line[]): Line[] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const as = line.arrivedAs === line.call ? 'the same' : line.arrivedAs;
    const key = JSON.stringify([line.client, line.version, line.path, line.keyIn, as, line.notes]);
    groups.set(key, [...(groups.get(key) ?? []), { ...line, arrivedAs: as }]);
  }
  return [...groups.values()].map((group) => {
    const first = group[0] as Line;
    return { ...first, call: [...new Set(group.map(({ call }) => call))].join(', ') };
  });
}

/** The rows of the table in a document, each as written there. */
export function documented(text: string): string[] {
  const table = text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END));
  return table.trim().split('\n').slice(2);
}

/** The document with another table in it. */
export function withTable(text: string, table: string): string {
  return `${text.slice(0, text.indexOf(BEGIN) + BEGIN.length)}\n\n${table}\n\n${text.slice(text.indexOf(END))}`;
}

/** What of a run the document does not say, or says otherwise. */
export function missingIn(text: string, lines: readonly Line[]): string[] {
  const rows = new Set(documented(text));
  return markdown(lines)
    .split('\n')
    .slice(2)
    .filter((row) => !rows.has(row));
}
