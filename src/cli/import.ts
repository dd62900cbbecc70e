/** `hookbench import FILE`: calls of a file into a running instance. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { CallImportView } from '../contract/exchange.ts';
import { EXCHANGE_LIMITS } from '../contract/exchange-limits.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { parseWordsAndOptions, UsageError } from '../shell/option-table.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import type { Command } from './command.ts';
import { type Running, withRunning } from './running.ts';

const options = {
  deliver: {
    type: 'boolean',
    help: 'Delivers the calls as if they had just come; by default they are kept as history',
  },
  json: { type: 'boolean', help: 'Print JSON' },
  workspace: workspaceOption,
} as const;

/** Its run rejects with a {@link UsageError}, a `NotRunningError`, or when the file cannot be read. */
export const importCommand: Command = {
  name: 'import',
  summary: "Import calls from NDJSON, a HAR or Segment's own file of calls into a running instance.",
  argument: 'FILE',
  options,
  run: async (args, _parts, env) => {
    const { values, words } = parseWordsAndOptions(options, args);
    const [file] = words;
    if (file === undefined || words.length > 1)
      throw new UsageError('hookbench import takes one FILE, or - for standard input.');
    await checkSize(file);
    const view = await withRunning(workspaceFolder(values.workspace, env), (running) =>
      importFile(running, file, values.deliver === true),
    );
    process.stdout.write(values.json === true ? `${jsonText(reportOf(view))}\n` : `${textOf(view)}\n`);
    return view.refused === 0 ? 0 : 1;
  },
};

/** Before anything is imported. */
async function checkSize(file: string): Promise<void> {
  if (file === '-') return;
  const { size } = await stat(file);
  if (size > EXCHANGE_LIMITS.fileBytes) throw new Error(`${file} has more than 100 MB. Nothing was imported.`);
}

async function importFile({ call }: Running, file: string, deliver: boolean): Promise<CallImportView> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const { import: token } = await call('messages.importOpen', { deliver });
  try {
    let held = '';
    for await (const bytes of stream) {
      held += decoder.decode(bytes as Uint8Array, { stream: true });
      for (; held.length > EXCHANGE_LIMITS.pieceText; held = held.slice(EXCHANGE_LIMITS.pieceText))
        await call('messages.importText', {
          import: token,
          text: held.slice(0, EXCHANGE_LIMITS.pieceText),
          last: false,
        });
    }
    return await call('messages.importText', { import: token, text: held + decoder.decode(), last: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new Error(`${file} is not UTF-8 text. What came before is imported.`);
  } finally {
    await call('messages.importClose', { import: token });
  }
}

/** Without what only an import under way has. */
const reportOf = ({ import: _, done: __, ...report }: CallImportView): object => report;

function textOf(view: CallImportView): string {
  const { imported, queued, duplicates, refused, other, problems, format } = view;
  const row = format === 'har' ? 'entry' : 'line';
  return [
    `${imported} imported${queued > 0 ? ` (${queued} queued for delivery)` : ''}, ${duplicates} there already, ${refused} refused${other > 0 ? `, ${other} no calls` : ''}.`,
    ...problems.map(({ at, text }) => `${row} ${at}: ${terminalText(text)}`),
    ...(refused > problems.length ? [`and ${refused - problems.length} more`] : []),
  ].join('\n');
}
