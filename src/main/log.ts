import { terminalText } from '../shell/terminal.ts';

/** A line on standard error, for whoever started the app in a terminal. */
export const log = (text: string): void => void process.stderr.write(`hookbench: ${terminalText(text)}\n`);
