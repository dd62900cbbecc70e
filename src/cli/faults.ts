/** `hookbench faults`: the ingest faults of a running instance, and what they did to the SDKs. */
import { parseArgs } from 'node:util';
import { faultsText, reportMarkdown, reportText, ruleText } from '../contract/fault-words.ts';
import type { FaultsView } from '../contract/faults.ts';
import { parseOrUsage, UsageError, workspaceFolder } from '../shell/start-options.ts';
import { jsonText, terminalText } from '../shell/terminal.ts';
import { withRunning } from './running.ts';

const WORDS = ['on', 'off', 'report'] as const;
type Word = (typeof WORDS)[number];

/** `hookbench faults [on | off | report]`; without a word it tells. */
export async function steerFaults(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { values, positionals } = parseOrUsage(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
    }),
  );
  const [given, ...others] = positionals;
  const word = WORDS.find((one) => one === given);
  if ((given !== undefined && word === undefined) || others.length > 0)
    throw new UsageError(`hookbench faults takes on, off or report, not ${JSON.stringify(positionals.join(' '))}.`);
  const workspace = workspaceFolder(values.workspace, env);
  const text = word === 'report' ? await report(workspace, values.json) : await steer(workspace, word, values.json);
  process.stdout.write(`${text.split('\n').map(terminalText).join('\n')}\n`);
}

async function steer(workspace: string, word: Exclude<Word, 'report'> | undefined, json: boolean): Promise<string> {
  const view = await withRunning(workspace, ({ call }) =>
    word === undefined ? call('faults.get') : call('faults.save', { on: word === 'on' }),
  );
  return json ? jsonText(view) : viewText(view);
}

function viewText(view: FaultsView): string {
  if (!view.on) return faultsText(view);
  const lines = view.rules
    .filter(({ on }) => on)
    .map((rule) => `  ${ruleText(rule)} ${rule.hits} ${rule.hits === 1 ? 'time' : 'times'} so far.`);
  return ['Ingest faults are on:', ...lines].join('\n');
}

/** Every client that a fault met: as text on a terminal, as Markdown in a file or a pipe. */
async function report(workspace: string, json: boolean): Promise<string> {
  return withRunning(workspace, async ({ call }) => {
    const { clients } = await call('faults.report', {});
    const met = clients.filter(({ failed }) => failed > 0);
    const reports = await Promise.all(met.map(({ key }) => call('faults.report', { client: key })));
    const all = reports.flatMap(({ client }) => client ?? []);
    if (json) return jsonText(all);
    const told = process.stdout.isTTY ? reportText : reportMarkdown;
    return all.length === 0 ? 'No client has met a fault.' : all.map(told).join('\n').trimEnd();
  });
}
