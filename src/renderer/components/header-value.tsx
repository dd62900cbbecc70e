import type { HeaderView } from '../../contract/values.ts';
import { plural } from '../lib/format.ts';
import { Text } from './text.tsx';

/** The value beside a header's name. A hidden value is shown as its length only. */
export function HeaderValue({ header }: { header: HeaderView }) {
  if ('hiddenLength' in header)
    return <span className="muted">hidden, {plural(header.hiddenLength, 'character')}</span>;
  return <Text ltr>{header.value}</Text>;
}
