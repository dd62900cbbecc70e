import { Seg, Switch } from '../../components/controls.tsx';
import { Setting } from '../../components/setting.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { type Density, ROW_HEIGHTS, useLivePreferences } from '../../stores/live/preferences.ts';
import { useNow } from '../../stores/ticker.ts';
import { setTheme, useView } from '../../stores/view.ts';
import { Card } from './parts.tsx';
import settingsCss from './settings.module.css';

const DENSITIES: ReadonlyArray<{ value: Density; label: string }> = [
  { value: 'compact', label: 'Compact' },
  { value: 'default', label: 'Default' },
  { value: 'comfortable', label: 'Comfortable' },
];

/** How this window looks. Kept beside the window and not in the workspace. */
export function AppearanceSection() {
  const { theme, letterKeys, railWanted } = useView();
  const density = useLivePreferences((state) => state.density);
  return (
    <>
      <Card title="Appearance" note="of this window, whatever the workspace">
        <Setting label="Theme">
          <Seg
            label="Theme"
            value={theme}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={setTheme}
          />
        </Setting>
        <Setting label="Rows" hint={`${ROW_HEIGHTS[density]} px high in the live stream.`}>
          <Seg
            label="Rows"
            value={density}
            options={DENSITIES}
            onChange={(next) => useLivePreferences.setState({ density: next })}
          />
        </Setting>
        <Times />
        <Setting
          label="Sidebar"
          hint="Icons only, with names on hover and focus. In a window under 1280 px it is always narrow."
        >
          <Switch checked={railWanted} label="Narrow sidebar" onChange={(on) => useView.setState({ railWanted: on })} />
          <span className="secondary">{railWanted ? 'Narrow' : 'With names'}</span>
        </Setting>
      </Card>
      <Card title="Keyboard">
        <Setting label="Single keys">
          <span>
            {letterKeys ? 'On' : 'Off'}. The switch is under{' '}
            <a className={settingsCss.inText} href="#/settings/shortcuts">
              Shortcuts
            </a>
            .
          </span>
        </Setting>
      </Card>
    </>
  );
}

function Times() {
  const timeZone = useView((state) => state.timeZone);
  const now = useNow();
  return (
    <Setting
      label="Times"
      hint={`Now it is ${formatDateTime(now).replace(/\.\d{3}/, '')}. Copied times are UTC in any case.`}
    >
      <Seg
        label="Times"
        value={timeZone}
        options={[
          { value: 'local', label: 'Local' },
          { value: 'utc', label: 'UTC' },
        ]}
        onChange={(next) => useView.setState({ timeZone: next })}
      />
    </Setting>
  );
}
