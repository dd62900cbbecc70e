import { Field, TextArea } from '../../components/input.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import type { ReadIds } from './ids-text.ts';

/** A box for pasted user ids, one a line, with what was read below it. */
export function IdsField({
  text,
  read,
  error,
  onText,
  autoFocus = false,
}: {
  text: string;
  read: ReadIds;
  error: string | null;
  onText: (text: string) => void;
  autoFocus?: boolean;
}) {
  return (
    <Field label="User ids, one a line" stacked error={error ?? tooLong(read)} hint={readText(read)}>
      {(control) => (
        <TextArea
          {...control}
          unwrapped
          rows={7}
          autoFocus={autoFocus}
          placeholder={'usr_8f21\nusr_c3f5'}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  );
}

const tooLong = ({ tooLongAt }: ReadIds): string | null =>
  tooLongAt === null ? null : `The id in line ${formatCount(tooLongAt)} is longer than 1,000 characters.`;

/** `3 ids, 1 duplicate kept once. 1 begins or ends with a space and is kept as found.` */
export function readText({ ids, duplicates, spaced }: ReadIds): string {
  if (ids.length === 0) return 'Each is taken exactly as it stands.';
  const twice = duplicates === 0 ? '' : `, ${plural(duplicates, 'duplicate')} kept once`;
  const spaces =
    spaced === 0
      ? ''
      : spaced === 1
        ? ' 1 begins or ends with a space and is kept as found.'
        : ` ${formatCount(spaced)} begin or end with a space and are kept as found.`;
  return `${plural(ids.length, 'id')}${twice}.${spaces}`;
}
