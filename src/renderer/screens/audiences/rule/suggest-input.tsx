import { Autocomplete } from '@base-ui/react/autocomplete';
import { ChevronDown } from 'lucide-react';
import menuCss from '../../../components/menu.module.css';
import { Text } from '../../../components/text.tsx';
import { cx } from '../../../lib/cx.ts';
import css from './fields.module.css';

/** A value to choose, and what is known of it. */
export interface Suggestion {
  readonly value: string;
  /** `8,312 people`. */
  readonly about: string;
}

/** Suggestions in sight at once. */
const MOST = 50;

/** A text field with suggestions. Any other text can be typed. */
export function SuggestInput({
  label,
  value,
  items,
  invalid,
  describedBy,
  mono = false,
  placeholder,
  maxLength,
  onChange,
  onBlur,
}: {
  label: string;
  value: string;
  items: readonly Suggestion[];
  invalid: boolean;
  describedBy: string | undefined;
  mono?: boolean;
  placeholder: string;
  maxLength: number;
  onChange: (value: string) => void;
  onBlur: () => void;
}) {
  return (
    <Autocomplete.Root
      items={items}
      value={value}
      onValueChange={onChange}
      itemToStringValue={(item: Suggestion) => item.value}
      limit={MOST}
      openOnInputClick
    >
      <span className={cx(css.box, css.suggest, mono && 'mono', invalid && css.invalid)}>
        <Autocomplete.Input
          aria-label={label}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          autoComplete="off"
          spellCheck={false}
          dir={mono ? 'ltr' : 'auto'}
          placeholder={placeholder}
          maxLength={maxLength}
          onBlur={onBlur}
        />
        <ChevronDown className="icon" aria-hidden="true" />
      </span>
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} align="start" className={menuCss.layer}>
          <Autocomplete.Popup className={cx(menuCss.menu, css.suggestions)}>
            <Autocomplete.List>
              {(item: Suggestion) => (
                <Autocomplete.Item key={item.value} value={item} className={menuCss.item}>
                  <span className={cx('spacer ellipsis', mono && 'mono')}>
                    <Text>{item.value}</Text>
                  </span>
                  <span className="muted small nowrap">{item.about}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
