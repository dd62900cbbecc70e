import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import css from './draft-entry.module.css';
import { useDraft } from './rule/drafts.ts';
import { useTraitDrafts } from './traits/trait-drafts.ts';
import { useProperty } from './use-property.ts';

/** A new audience or trait that is not saved yet, over the list. */
export function DraftEntry({
  isTrait,
  name,
  isShown,
  onShow,
}: {
  isTrait: boolean;
  name: string;
  isShown: boolean;
  onShow: () => void;
}) {
  const ofAudience = useDraft('new');
  const ofTrait = useTraitDrafts(({ fresh }) => fresh);
  const typed = (isTrait ? ofTrait : ofAudience)?.property ?? null;
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
        <Text>{name !== '' ? name : isTrait ? 'New trait' : 'New audience'}</Text>
      </span>
      <span />
      <span className="mono muted ellipsis">{property}</span>
      <span className={css.state}>Draft</span>
    </button>
  );
}
