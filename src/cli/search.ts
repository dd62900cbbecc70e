/** `hookbench search`: how far the search index of a running instance is; makes it again, or turns it on or off. */
import { jsonText, terminalText } from '../contract/plain-text.ts';
import type { SearchView } from '../contract/search.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { type Running, withRunning } from './running.ts';

const MB = 1024 * 1024;

export function searchText({ state, indexed, total, bytes, message }: SearchView): string {
  switch (state) {
    case 'off':
      return 'The search index is off: a search reads every message.';
    case 'small':
      return 'No search index: the store is so small that a search reads every message.';
    case 'failed':
      return `The search index failed: ${message}. A search reads every message. hookbench search rebuild makes the index again.`;
    case 'building':
      return `The search index has ${indexed} of ${total} messages (${Math.floor((100 * indexed) / Math.max(1, total))} %). A search reads the others.`;
    case 'ready':
      return `The search index has ${indexed} of ${total} messages, in ${(bytes / MB).toFixed(1)} MB.`;
  }
}

type Word = 'rebuild' | 'on' | 'off' | undefined;

function steer({ call }: Running, word: Word): Promise<SearchView> {
  if (word === 'rebuild') return call('search.rebuild');
  if (word === undefined) return call('search.get');
  return call('search.setEnabled', { enabled: word === 'on' });
}

/** Without a word it only shows. */
export const searchCommand = defineCommand({
  name: 'search',
  summary: 'Show how far the search index of a running instance is; rebuild it, or turn it on or off.',
  words: ['rebuild', 'on', 'off'],
  options: {
    workspace: workspaceOption,
    json: { type: 'boolean', help: 'Print one JSON object' },
  },
  run: async ({ values: { workspace, json = false }, word, env }) => {
    const view = await withRunning(workspaceFolder(workspace, env), (running) => steer(running, word));
    process.stdout.write(`${json ? jsonText(view) : terminalText(searchText(view))}\n`);
  },
});
