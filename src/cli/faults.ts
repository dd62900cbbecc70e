/** `hookbench faults`: the ingest faults of a running instance, and what they did to the SDKs. */
import { faultsText, reportMarkdown, reportText, ruleText } from '../contract/fault-words.ts';
import type { FaultsView } from '../contract/faults.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { withRunning } from './running.ts';

/** Without a word it only shows. */
export const faultsCommand = defineCommand({
  name: 'faults',
  summary: 'Show the ingest faults of a running instance, turn them on or off, or report what they did.',
  words: ['on', 'off', 'report'],
  options: {
    workspace: workspaceOption,
    json: { type: 'boolean', help: 'Print one JSON object; for a report, one list' },
  },
  run: async ({ values: { workspace: given, json = false }, word, env }) => {
    const workspace = workspaceFolder(given, env);
    const text = word === 'report' ? await report(workspace, json) : await steer(workspace, word, json);
    process.stdout.write(`${text.split('\n').map(terminalText).join('\n')}\n`);
  },
});

async function steer(workspace: string, word: 'on' | 'off' | undefined, json: boolean): Promise<string> {
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
