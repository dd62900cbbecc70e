/** Foreign text for a file that a person opens: every letter stays, and what would steer a terminal or hide is shown. */
import { terminalText } from '../../contract/plain-text.ts';

/** Joiners of scripts and emoji, without which text is not what was sent. */
const JOINERS = /[\u200c\u200d]/;

/** Control, format and bidirectional characters as `\u001b`. Line breaks and tabs too. */
export const visibleText = (text: string): string =>
  text
    .split(new RegExp(`(${JOINERS.source})`, 'u'))
    .map((part) => (JOINERS.test(part) ? part : terminalText(part)))
    .join('');

/** The same for valid JSON, which stays the same JSON: only in its strings can such characters stand. */
export const visibleJson = (json: string): string =>
  json
    .replaceAll('\r', '')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : terminalText(part)))
    .join('');
