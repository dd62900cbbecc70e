import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import css from '../rule/draft-entry.module.css';
import { useProperty } from '../use-property.ts';
import { useTraitDrafts } from './trait-drafts.ts';

/** A new trait that is not saved yet, over the list. */
export function TraitDraftEntry({ name, isShown, onShow }: { name: string; isShown: boolean; onShow: () => void }) {
  const typed = useTraitDrafts(({ fresh }) => fresh?.property ?? null);
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
        <Text>{name === '' ? 'New trait' : name}</Text>
      </span>
      <span />
      <span className="mono muted ellipsis">{property}</span>
      <span className={css.state}>Draft</span>
    </button>
  );
}
