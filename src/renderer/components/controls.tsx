/** Switch, Checkbox, Seg (one of a few), Tabs. */

import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/cx.ts';
import css from './controls.module.css';

interface OnOff {
  checked: boolean;
  onChange: (on: boolean) => void;
  /** Its accessible name; the visible text stands beside it. */
  label: string;
  disabled?: boolean;
}

/** Takes effect at once. */
export function Switch({ checked, onChange, label, disabled = false }: OnOff) {
  return (
    <BaseSwitch.Root
      className={cx(css.switch, checked && css.on)}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      aria-label={label}
    >
      <BaseSwitch.Thumb className={css.thumb} />
    </BaseSwitch.Root>
  );
}

/** `mixed`: some of what it stands for is on. */
export function Checkbox({ checked, onChange, label, disabled = false, mixed = false }: OnOff & { mixed?: boolean }) {
  return (
    <BaseCheckbox.Root
      className={cx(css.checkbox, (checked || mixed) && css.on)}
      checked={checked}
      indeterminate={mixed}
      disabled={disabled}
      onCheckedChange={onChange}
      aria-label={label}
    >
      <BaseCheckbox.Indicator>
        {mixed ? (
          <Minus className="icon icon-large" aria-hidden="true" />
        ) : (
          <Check className="icon icon-large" aria-hidden="true" />
        )}
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>
  );
}

/** A choice of a few options that takes effect at once: a radio group drawn as one bar. */
export function Seg<V extends string | number>({
  label,
  value,
  options,
  onChange,
  className,
}: {
  label: string;
  value: V;
  /** `extra` stands after the label, e.g. a count. */
  options: ReadonlyArray<{ value: V; label: string; extra?: string; disabled?: boolean }>;
  onChange: (value: V) => void;
  className?: string;
}) {
  return (
    <RadioGroup
      className={cx(css.segments, className)}
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as V)}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          className={css.segment}
          aria-label={option.extra === undefined ? option.label : `${option.label} ${option.extra}`}
        >
          {option.label}
          {option.extra !== undefined && <span className={css.count}> {option.extra}</span>}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}

export interface TabItem<V extends string> {
  value: V;
  label: string;
  /** Shown after the label, e.g. a count. */
  extra?: ReactNode;
}

/** Tabs with one panel: `children` is the panel of the chosen tab. */
export function Tabs<V extends string>({
  value,
  items,
  onChange,
  children,
  className,
  panelClassName,
}: {
  value: V;
  items: ReadonlyArray<TabItem<V>>;
  onChange: (value: V) => void;
  children?: ReactNode;
  className?: string;
  panelClassName?: string;
}) {
  return (
    <BaseTabs.Root className={cx(css.tabs, className)} value={value} onValueChange={(next) => onChange(next as V)}>
      <BaseTabs.List className={css.tabList} activateOnFocus>
        {items.map((item) => (
          <BaseTabs.Tab key={item.value} value={item.value} className={css.tab}>
            {item.label}
            {item.extra !== undefined && <span className={css.extra}>{item.extra}</span>}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={value} className={cx(css.tabPanel, panelClassName)}>
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
