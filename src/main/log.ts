import { terminalText } from '../contract/plain-text.ts';

/** Writes a line to standard error, for whoever started the app in a terminal. */
export const log = (text: string): void => void process.stderr.write(`hookbench: ${terminalText(text)}\n`);
