/** The command line that sends a message again (docs/cli.md, `replay`), for sh. */
import { quoted } from './shell-word.ts';

/** To every webhook that is on, or to one: a webhook by name or a URL. NUL cannot be part of an argument. */
export function replayLine(messageId: string, to: string | null = null): string {
  const id = messageId.replaceAll('\0', '');
  const words = ['hookbench replay'];
  if (to !== null) words.push(`--to=${quoted(to.replaceAll('\0', ''))}`);
  // An id that begins with a dash is no option.
  if (id.startsWith('-')) words.push('--');
  return [...words, quoted(id)].join(' ');
}
