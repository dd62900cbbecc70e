import { bodyWords } from '../../message/body-words.ts';
import { bodyOf, curlOf, type Side } from '../../message/copies.ts';
import type { LoadedDetail } from '../../message/use-detail.ts';
import { copyAndSay } from '../../stores/copied.ts';
import { useRecords } from '../../stores/records.ts';
import { useView } from '../../stores/view.ts';

type Copy = (() => void) | undefined;

/** What C, Shift C and Y copy. Undefined when there is nothing to copy. */
export function useCopies(
  { row, detail }: Pick<LoadedDetail, 'row' | 'detail'>,
  wanted: Side,
): { readonly body: Copy; readonly curl: Copy; readonly id: Copy } {
  const webhooks = useRecords((state) => state.webhooks);
  const port = useRecords((state) => state.status?.listener.port ?? 0);
  const shell = useView((state) => state.curlShell);
  const id = copyOf(row?.messageId ?? null, 'Message id');
  if (detail === null) return { id, body: undefined, curl: undefined };
  const side: Side = bodyOf(detail, wanted) === null ? 'received' : wanted;
  return {
    id,
    body: copyOf(bodyOf(detail, side), side === 'received' ? 'Received body' : bodyWords(detail).body),
    curl: copyOf(curlOf(detail, side, webhooks, port, shell), 'curl command'),
  };
}

const copyOf = (text: string | null, what: string): Copy =>
  text === null ? undefined : () => void copyAndSay(text, `${what} copied`);
