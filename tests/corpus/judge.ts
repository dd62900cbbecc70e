/** Whether what came of a case is what must come of it. */
import { answerIn, type CorpusCase, type ExpectedMessage, type Mode } from './case.ts';
import type { Answer } from './client.ts';
import type { StoredRow } from './engine.ts';

/** What is wrong, in words; empty when all is as it must be. */
export function faultsOf(
  one: CorpusCase,
  mode: Mode,
  answer: Answer,
  rows: readonly StoredRow[],
  ended: boolean,
): string[] {
  return [...answerFaults(one, mode, answer), ...rowFaults(one, mode, rows), ...endFaults(one, answer, ended)];
}

function answerFaults(one: CorpusCase, mode: Mode, answer: Answer): string[] {
  const expected = answerIn(mode, one);
  const faults: string[] = [];
  const got = contentOf(answer);
  if (answer.status !== expected.status) faults.push(`status ${answer.status}, not ${expected.status}`);
  if (got.code !== expected.code) faults.push(`code ${got.code}, not ${expected.code}`);
  if (mode === 'segment' && one.says !== undefined && !got.message.includes(one.says))
    faults.push(`says "${got.message}", not "${one.says}"`);
  if (answer.status !== 0) faults.push(...shapeFaults(answer, got));
  for (const [name, value] of Object.entries(one.headers ?? {}))
    if ((answer.headers[name] ?? null) !== value) faults.push(`${name}: ${answer.headers[name]}, not ${value}`);
  if (answer.surplus > 0) faults.push(`${answer.surplus} bytes after the answer`);
  return faults;
}

interface Content {
  readonly json: Record<string, unknown> | null;
  readonly code: string | null;
  readonly message: string;
}

function contentOf(answer: Answer): Content {
  const isJson = answer.headers['content-type'] === 'application/json' && answer.body.length > 0;
  if (!isJson) return { json: null, code: null, message: '' };
  const json = JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>;
  return { json, code: (json.code as string | undefined) ?? null, message: String(json.message ?? '') };
}

/** What clients need of every answer, whatever it says (decisions, Ingest). */
function shapeFaults(answer: Answer, { json, message }: Content): string[] {
  const faults: string[] = [];
  if (answer.status >= 300 && answer.status < 400) faults.push('a redirect');
  if (answer.status >= 400 && json !== null && (json.success !== false || message === '' || json.error === undefined))
    faults.push('an error without success, message and error');
  if (answer.headers['access-control-expose-headers'] === undefined) faults.push('no Access-Control-Expose-Headers');
  return faults;
}

function endFaults(one: CorpusCase, answer: Answer, ended: boolean): string[] {
  const closes = one.closes === true || answer.status === 0;
  return ended === closes ? [] : [ended ? 'the connection ended' : 'the connection stayed open'];
}

function rowFaults(one: CorpusCase, mode: Mode, rows: readonly StoredRow[]): string[] {
  if (rows.length !== one.messages.length) return [`${rows.length} messages stored, not ${one.messages.length}`];
  return rows.flatMap((row, i) =>
    messageFaults(one.messages[i]!, row, mode).map((fault) => `message ${i + 1}: ${fault}`),
  );
}

function messageFaults(expected: ExpectedMessage, row: StoredRow, mode: Mode): string[] {
  const faults: string[] = [];
  const same = (what: string, got: unknown, wanted: unknown): void => {
    if (wanted !== undefined && got !== wanted) faults.push(`${what} ${String(got)}, not ${String(wanted)}`);
  };
  same('state', row.state, expected.state);
  same('reason', row.reason, expected.reason);
  same('type', row.type, expected.type);
  same('userId', row.userId, expected.userId);
  same('messageId', row.messageId, expected.messageId);
  same('repeats', row.repeats, expected.repeats ?? 0);
  same('notes', noteCodes(row).join(' '), (expected.notes ?? []).join(' '));
  if (expected.detail !== undefined && row.detail?.includes(expected.detail) !== true)
    faults.push(`detail "${row.detail}", not "${expected.detail}"`);
  same('a delivered body', row.wire !== null, expected.state !== 'rejected');
  if (row.wire !== null) faults.push(...wireFaults(row.wire, mode === 'segment' ? expected.wire : undefined));
  return faults;
}

const noteCodes = ({ notes }: StoredRow): string[] =>
  notes === null ? [] : (JSON.parse(notes) as { code: string }[]).map(({ code }) => code);

/** A receiver that parses and writes it again must get the same bytes: they are what is signed. */
function wireFaults(wire: Buffer, wanted: string | undefined): string[] {
  const text = wire.toString('utf8');
  const faults: string[] = [];
  if (JSON.stringify(JSON.parse(text)) !== text) faults.push('the delivered body changes when it is written again');
  if (wanted !== undefined && !text.includes(wanted))
    faults.push(`delivers ${text.slice(0, 300)}, not ${wanted.slice(0, 200)}`);
  return faults;
}
