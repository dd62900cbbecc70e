import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import css from './panel.module.css';
import { PartId } from './part-id.tsx';
import type { Why } from './words.ts';

/** What parts of the rule found. Each marks its part while it is looked at, and goes there. */
export function WhyChips({
  whys,
  marked,
  onMark,
  onGo,
}: {
  whys: readonly Why[];
  marked: number | null;
  onMark: (key: number | null) => void;
  onGo: (key: number) => void;
}) {
  return (
    <div className={css.whys}>
      {whys.map(({ id, key, text }) => (
        <button
          key={key}
          type="button"
          className={cx(css.why, marked === key && css.marked)}
          onMouseEnter={() => onMark(key)}
          onMouseLeave={() => onMark(null)}
          onFocus={() => onMark(key)}
          onBlur={() => onMark(null)}
          onClick={() => onGo(key)}
        >
          {id !== '' && <PartId>{id}</PartId>}
          <Text>{text}</Text>
        </button>
      ))}
    </div>
  );
}
