/** `hookbench status`: where a running instance listens, what it holds, and whether it delivers. */
import { deliveryText } from '../contract/not-sending.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import type { StatusView } from '../contract/values.ts';
import { listeningText } from '../headless/serve.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { withRunning } from './running.ts';

/** One line per fact. Lost moves have one only when there are any. */
export function statusLines({ listener, notSending, counts, total, lostMoves }: StatusView): string[] {
  const states = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([state, n]) => `${n} ${state.replaceAll('_', ' ')}`);
  return [
    listeningText(listener, `http://127.0.0.1:${listener.port}`),
    deliveryText(notSending),
    total === 0 ? 'No messages.' : `${total} ${total === 1 ? 'message' : 'messages'}: ${states.join(', ')}.`,
    ...(lostMoves === 0 ? [] : [lostText(lostMoves)]),
  ];
}

const lostText = (n: number): string =>
  n === 1
    ? '1 move was lost since the start, because its message was no longer in the expected state. The log has it as move_lost.'
    : `${n} moves were lost since the start, because their messages were no longer in the expected state. The log has them as move_lost.`;

export const statusCommand = defineCommand({
  name: 'status',
  summary: 'Show where a running instance listens, what it holds and whether it delivers.',
  options: {
    workspace: workspaceOption,
    json: { type: 'boolean', help: 'Print one JSON object' },
  },
  run: async ({ values: { workspace, json = false }, env }) => {
    const status = await withRunning(workspaceFolder(workspace, env), ({ call }) => call('app.status'));
    const text = json ? jsonText(status) : statusLines(status).map(terminalText).join('\n');
    process.stdout.write(`${text}\n`);
  },
});
