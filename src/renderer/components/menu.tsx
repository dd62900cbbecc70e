import { Menu as Base } from '@base-ui/react/menu';
import { Check, type LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import css from './menu.module.css';
import { Text } from './text.tsx';

export interface MenuAction {
  kind?: 'action';
  label: string;
  /** True for a name that a person chose, which may have any characters. */
  isName?: boolean;
  icon?: LucideIcon;
  /** A key shown at the end. */
  keys?: string;
  /** Follows the label while the item is highlighted, such as the text of a filter. */
  detail?: string;
  /** A word or two at the end. */
  hint?: string | undefined;
  /** Shown while the pointer rests on it. */
  title?: string;
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}
export interface MenuChoice {
  kind: 'choice';
  label: string;
  value: string;
  options: ReadonlyArray<{ value: string; label: string; icon?: LucideIcon }>;
  onChange: (value: string) => void;
}
export interface MenuToggle {
  kind: 'toggle';
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}
/** A line of text above items. */
export interface MenuText {
  kind: 'text';
  text: string;
}
export type MenuItem = MenuAction | MenuChoice | MenuToggle | MenuText | 'divider';

/** A menu under its trigger. `trigger` must be a button. Items that a function makes are made while the menu is open. */
export function Menu({
  trigger,
  items,
  align = 'start',
  header,
  onOpen,
}: {
  trigger: ReactElement;
  items: readonly MenuItem[] | (() => readonly MenuItem[]);
  align?: 'start' | 'center' | 'end';
  header?: ReactNode;
  onOpen?: () => void;
}) {
  return (
    <Base.Root onOpenChange={(open) => open && onOpen?.()}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className={css.layer}>
          <Base.Popup className={css.menu}>
            {header}
            <Items items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A menu at a point of the window, in px, open from the start. `returnTo` gets the focus when it closes. */
export function ContextMenu({
  at,
  items,
  returnTo,
  onClose,
}: {
  at: { readonly x: number; readonly y: number };
  items: readonly MenuItem[];
  returnTo: () => HTMLElement | null;
  onClose: () => void;
}) {
  const { x, y } = at;
  const anchor = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" className={css.layer}>
          <Base.Popup className={css.menu} finalFocus={returnTo}>
            <Items items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const Items = ({ items }: { items: readonly MenuItem[] | (() => readonly MenuItem[]) }) =>
  (typeof items === 'function' ? items() : items).map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: dividers have no other name
    <Item key={i} item={item} />
  ));

function Item({ item }: { item: MenuItem }) {
  if (item === 'divider') return <Base.Separator className={css.line} />;
  if (item.kind === 'choice') return <Choice item={item} />;
  if (item.kind === 'text') return <p className={css.label}>{item.text}</p>;
  if (item.kind === 'toggle') {
    return (
      <Base.CheckboxItem
        className={css.item}
        checked={item.checked}
        onCheckedChange={item.onChange}
        closeOnClick={false}
      >
        <span className="spacer">{item.label}</span>
        <Base.CheckboxItemIndicator>
          <Check className="icon" aria-hidden="true" />
        </Base.CheckboxItemIndicator>
      </Base.CheckboxItem>
    );
  }
  const Icon = item.icon;
  return (
    <Base.Item
      className={cx(css.item, item.danger && css.danger)}
      disabled={item.disabled}
      title={item.title}
      onClick={item.run}
    >
      {Icon && <Icon className="icon" aria-hidden="true" />}
      <span className="spacer ellipsis">
        {item.isName ? <Text>{item.label}</Text> : item.label}
        {item.detail && (
          <span className={cx('mono', css.detail)}>
            {' '}
            <Text ltr max={200}>
              {item.detail}
            </Text>
          </span>
        )}
      </span>
      {item.hint && <span className="muted small">{item.hint}</span>}
      {item.keys && <kbd>{item.keys}</kbd>}
    </Base.Item>
  );
}

function Choice({ item }: { item: MenuChoice }) {
  return (
    <Base.RadioGroup value={item.value} onValueChange={(value) => item.onChange(String(value))}>
      <Base.GroupLabel className={css.label}>{item.label}</Base.GroupLabel>
      {item.options.map(({ value, label, icon: Icon }) => (
        <Base.RadioItem key={value} value={value} className={css.item} closeOnClick={false}>
          {Icon && <Icon className="icon" aria-hidden="true" />}
          <span className="spacer">{label}</span>
          <Base.RadioItemIndicator>
            <Check className="icon" aria-hidden="true" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
