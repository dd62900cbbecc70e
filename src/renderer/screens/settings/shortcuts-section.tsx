import { useContext, useState } from 'react';
import { Switch } from '../../components/controls.tsx';
import { SearchInput } from '../../components/input.tsx';
import { Setting } from '../../components/setting.tsx';
import { findShortcuts, ShortcutGroups, ShortcutList } from '../../frame/shortcut-list.tsx';
import { plural } from '../../lib/format.ts';
import { useView } from '../../stores/view.ts';
import { Card } from './parts.tsx';

/** Every shortcut, as the sheet of `?` shows them, and whether single letters work. */
export const ShortcutsSection = () => (
  <>
    <KeyboardCard />
    <ListCard />
  </>
);

function KeyboardCard() {
  const letterKeys = useView((state) => state.letterKeys);
  return (
    <Card title="Keyboard" note="of this window, whatever the workspace">
      <Setting
        label="Single keys"
        hint="Keys such as R, F and Space. When off, only keys with Ctrl or ⌘ and the keys of lists work."
      >
        <Switch
          checked={letterKeys}
          label="Single-letter shortcuts"
          onChange={(on) => useView.setState({ letterKeys: on })}
        />
        <span className="secondary">{letterKeys ? 'On' : 'Off'}</span>
      </Setting>
    </Card>
  );
}

function ListCard() {
  const groups = useContext(ShortcutGroups);
  const [wanted, setWanted] = useState('');
  const found = findShortcuts(groups, wanted);
  const count = found.reduce((sum, { keys }) => sum + keys.length, 0);
  return (
    <Card title="Shortcuts" note="on a Mac, Ctrl is ⌘">
      <SearchInput value={wanted} onValue={setWanted} label="Find a shortcut" placeholder="Find a shortcut" />
      <p className="secondary" role="status">
        {count === 0 ? 'No shortcut has these words.' : plural(count, 'shortcut')}
      </p>
      <ShortcutList groups={found} />
    </Card>
  );
}
