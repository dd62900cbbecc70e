import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import { useProperty } from '../use-property.ts';
import css from './draft-entry.module.css';
import { useDraft } from './drafts.ts';

/** A new audience that is not saved yet, over the list. */
export function DraftEntry({ name, isShown, onShow }: { name: string; isShown: boolean; onShow: () => void }) {
  const typed = useDraft('new')?.property ?? null;
  const known = useProperty(name, typed, undefined);
  const property = typed ?? (name.trim() === '' ? '' : (known?.property ?? ''));
  return (
    <button
      type="button"
      className={cx(css.entry, isShown && css.shown)}
      aria-current={isShown ? 'page' : undefined}
      onClick={onShow}
    >
      <span className="medium ellipsis">
        <Text>{name === '' ? 'New audience' : name}</Text>
      </span>
      <span />
      <span className="mono muted ellipsis">{property}</span>
      <span className={css.state}>Draft</span>
    </button>
  );
}
