/** `--filter 'TOKENS'`: the language of the live stream's filter. */
import { type FilterContext, type MessageFilter, readFilter } from '../contract/filter.ts';
import { UsageError } from '../shell/option-table.ts';

type Sources = FilterContext['sources'];

export const filterOption = {
  type: 'string',
  value: 'TOKENS',
  help: "Filter as in the live stream: 'status:failed,expired properties.total>100'",
} as const;

/** Asks for the sources only when the text may name one. Rejects with a {@link UsageError} when it cannot be read. */
export async function filterOfText(
  text: string,
  { sources, now }: { readonly sources: () => Sources | Promise<Sources>; readonly now: number },
): Promise<MessageFilter> {
  const named = /source:/i.test(text) ? await sources() : [];
  const { filter, problem } = readFilter(text, { sources: named, now }, { done: true });
  if (problem !== null) throw new UsageError(`--filter: ${problem.text}`);
  return filter;
}
