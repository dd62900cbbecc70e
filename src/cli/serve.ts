/** `hookbench serve`. The other commands are not loaded for it. */
import { serve, serveOptionTable } from '../headless/serve.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Receive calls, deliver them and show them in a browser.',
  options: serveOptionTable,
  run: serve,
};
