import { Columns3 } from 'lucide-react';
import { memo } from 'react';
import buttonCss from '../../components/button.module.css';
import menuCss from '../../components/menu.module.css';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { cx } from '../../lib/cx.ts';
import {
  type Density,
  OPTIONAL_COLUMNS,
  type OptionalColumn,
  toggleColumn,
  useLivePreferences,
} from '../../stores/live/preferences.ts';
import type { Column } from './grid/columns.ts';
import { MenuButton } from './menu-button.tsx';

const COLUMN_NAMES: Record<OptionalColumn, string> = {
  source: 'Source',
  size: 'Size',
  round: 'Round',
  messageId: 'Message id',
};

const DENSITIES: ReadonlyArray<{ value: Density; label: string }> = [
  { value: 'compact', label: 'Compact' },
  { value: 'default', label: 'Default' },
  { value: 'comfortable', label: 'Comfortable' },
];

/** Menu for the optional columns and the row height. `shown` are the columns that fit now. */
export const ColumnsMenu = memo(function ColumnsMenu({ shown }: { shown: readonly Column[] }) {
  const { columns, density } = useLivePreferences();
  const hidden = columns.filter((column) => !shown.includes(column)).map((column) => COLUMN_NAMES[column]);
  return (
    <Menu
      align="end"
      header={
        hidden.length > 0 && (
          <p className={cx('small secondary', menuCss.head)}>No room for {hidden.join(', ')}. Widen the list.</p>
        )
      }
      trigger={
        <MenuButton className={buttonCss.square} aria-label="Columns" title="Columns">
          <Columns3 className="icon" aria-hidden="true" />
        </MenuButton>
      }
      items={[
        ...OPTIONAL_COLUMNS.map(
          (column): MenuItem => ({
            kind: 'toggle',
            label: COLUMN_NAMES[column],
            checked: columns.includes(column),
            onChange: () => toggleColumn(column),
          }),
        ),
        'divider',
        {
          kind: 'choice',
          label: 'Rows',
          value: density,
          options: DENSITIES,
          onChange: (value) => useLivePreferences.setState({ density: value as Density }),
        },
      ]}
    />
  );
});
