/** `hookbench export`: messages of a running instance as a file. */
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import type { CommandInput } from '../contract/commands.ts';
import { CURL_SHELLS } from '../contract/curl-file.ts';
import { EXPORT_FORMATS } from '../contract/exchange-limits.ts';
import { terminalText } from '../contract/plain-text.ts';
import { UsageError } from '../shell/option-table.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { filterOfText, filterOption } from './filter-option.ts';
import { PipeClosed, pipeWriter } from './output.ts';
import { type Running, withRunning } from './running.ts';

type Asked = CommandInput<'messages.export'>;

/** Its run rejects with a {@link UsageError}, a `NotRunningError`, or when the file cannot be written. */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write the messages of a running instance as NDJSON, HAR, CSV, curl commands or a page to share.',
  options: {
    format: { type: 'string', value: 'FORMAT', help: `${EXPORT_FORMATS.join(', ')}; ndjson by default` },
    shell: { type: 'string', value: 'SHELL', help: `Of curl commands: ${CURL_SHELLS.join(', ')}; sh by default` },
    filter: filterOption,
    id: { type: 'string', value: 'N', multiple: true, help: 'Only the message with this row id; may be repeated' },
    redact: {
      type: 'string',
      value: 'PATH',
      multiple: true,
      help: 'Masks a field of the call, such as traits.email, wherever its value appears; may be repeated',
    },
    unmasked: {
      type: 'boolean',
      help: 'Masks nothing that the settings of the workspace name, only what --redact names',
    },
    signatures: { type: 'boolean', help: 'Keeps the values of X-Signature, which are hidden by default' },
    out: { type: 'string', value: 'FILE', help: 'Write to this file; standard output by default' },
    workspace: workspaceOption,
  },
  run: async ({ values, env }) => {
    const format = formatOf(values.format);
    const shell = shellOf(values.shell, format);
    const ids = values.id?.map(rowId);
    if (ids !== undefined && values.filter !== undefined) throw new UsageError('--id and --filter exclude each other.');
    const how = { format, shell, signatures: values.signatures === true };
    await withRunning(workspaceFolder(values.workspace, env), async (running) => {
      const of = ids === undefined ? { filter: await filterOf(running, values.filter) } : { ids };
      const kept = values.unmasked === true ? [] : await maskedFields(running);
      const asked: Asked = { ...how, of, mask: [...new Set([...kept, ...(values.redact ?? [])])] };
      const done = await (values.out === undefined
        ? toOutput(running, asked)
        : toFile(running, asked, resolve(values.out)));
      if (done !== null) warnOfUnused(values.redact ?? [], done);
    });
  },
});

function formatOf(text = 'ndjson'): Asked['format'] {
  const format = EXPORT_FORMATS.find((one) => one === text);
  if (format === undefined)
    throw new UsageError(`--format takes one of ${EXPORT_FORMATS.join(', ')}, not ${JSON.stringify(text)}.`);
  return format;
}

function shellOf(text: string | undefined, format: Asked['format']): Asked['shell'] {
  if (text === undefined) return undefined;
  if (format !== 'curl') throw new UsageError('--shell goes with --format curl.');
  const shell = CURL_SHELLS.find((one) => one === text);
  if (shell === undefined)
    throw new UsageError(`--shell takes one of ${CURL_SHELLS.join(', ')}, not ${JSON.stringify(text)}.`);
  return shell;
}

const filterOf = ({ call }: Running, text = ''): ReturnType<typeof filterOfText> =>
  filterOfText(text, { sources: async () => (await call('app.hello', {})).parts.sources, now: Date.now() });

/** Those of the settings. */
const maskedFields = async ({ call }: Running): Promise<readonly string[]> =>
  (await call('app.hello', {})).parts.exports.mask;

function rowId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`--id takes a row id, not ${JSON.stringify(text)}.`);
  return Number(text);
}

interface Done {
  readonly written: number;
  /** Paths at which something was masked. */
  readonly masked: ReadonlySet<string>;
}

/** A mistyped path would let what it should hide go out unnoticed. */
function warnOfUnused(paths: readonly string[], { written, masked }: Done): void {
  if (written === 0) return;
  for (const path of new Set(paths))
    if (!masked.has(path))
      process.stderr.write(`hookbench: nothing was masked at ${terminalText(path)}: no exported message has it.\n`);
}

/** Null when the reader has left before the end. */
async function toOutput(running: Running, asked: Asked): Promise<Done | null> {
  try {
    return await writeSlices(running, asked, pipeWriter(process.stdout));
  } catch (error) {
    if (error instanceof PipeClosed) return null;
    throw error;
  }
}

/** Rejects when the disk refuses. */
async function toFile(running: Running, asked: Asked, path: string): Promise<Done> {
  const file = createWriteStream(path, { mode: 0o600 });
  const write = pipeWriter(file);
  const done = await writeSlices(running, asked, write);
  await new Promise<void>((ended, failed) => {
    file.on('error', failed);
    file.end(ended);
  });
  const { written } = done;
  process.stdout.write(`Wrote ${written === 1 ? '1 message' : `${written} messages`} to ${terminalText(path)}.\n`);
  return done;
}

/** Waits for a slow reader before it asks for the next slice. */
async function writeSlices({ call }: Running, asked: Asked, write: (text: string) => Promise<void>): Promise<Done> {
  const masked = new Set<string>();
  for (let cursor: Asked['cursor']; ; ) {
    const slice = await call('messages.export', { ...asked, cursor });
    await write(slice.text);
    for (const path of slice.masked) masked.add(path);
    if (slice.next === null) return { written: slice.written, masked };
    cursor = slice.next;
  }
}
