/**
 * The actions of the whole window, each once: the keys that run it, what the list of shortcuts says, and whether the
 * palette offers it (design/ui, section 9). Screens add their own keys.
 */
import {
  FlaskConical,
  Keyboard,
  type LucideIcon,
  PanelLeft,
  Pause,
  Search,
  Settings,
  StepForward,
  Timer,
} from 'lucide-react';
import { lastRoute, navigate } from '../stores/route.ts';
import { useView } from '../stores/view.ts';
import { stepClock, stepSpeed, toggleClock } from './clock-actions.ts';
import { toggleDelivery } from './delivery-pause.ts';
import { toggleFaults } from './ingest-faults.ts';

/** What the frame opens. */
export interface FrameDoors {
  readonly showShortcuts: () => void;
  readonly togglePalette: () => void;
}

export interface WindowAction {
  /** `event.key` in lower case. */
  readonly key: string;
  /** As the list of shortcuts writes the keys. */
  readonly keys: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** With Ctrl or Command it is heard in fields too; without, it is a single-letter shortcut. */
  readonly ctrl?: boolean;
  /** It is also heard while a dialog or menu is open. */
  readonly overLayers?: boolean;
  /** A key that is held down runs it again and again. */
  readonly repeats?: boolean;
  readonly offered: boolean;
  readonly run: (doors: FrameDoors) => void;
}

const ctrl = { ctrl: true, repeats: true } as const;

export const WINDOW_ACTIONS: readonly WindowAction[] = [
  {
    key: 'k',
    keys: 'Ctrl K',
    title: 'Find or run',
    icon: Search,
    ctrl: true,
    overLayers: true,
    offered: false,
    run: ({ togglePalette }) => togglePalette(),
  },
  {
    key: '-',
    keys: '-',
    title: 'Slower retry clock',
    icon: Timer,
    repeats: true,
    offered: true,
    run: () => stepSpeed(-1),
  },
  {
    key: '=',
    keys: '=',
    title: 'Faster retry clock',
    icon: Timer,
    repeats: true,
    offered: true,
    run: () => stepSpeed(1),
  },
  { key: ',', keys: ',', title: 'Pause or resume the retry clock', icon: Pause, offered: true, run: toggleClock },
  {
    key: '.',
    keys: '.',
    title: 'Step to the next round',
    icon: StepForward,
    offered: true,
    run: () => void stepClock(),
  },
  {
    ...ctrl,
    key: '.',
    keys: 'Ctrl .',
    title: 'Pause or resume delivery',
    icon: Pause,
    offered: true,
    run: toggleDelivery,
  },
  { key: 'f', keys: 'F', title: 'Ingest faults on or off', icon: FlaskConical, offered: true, run: toggleFaults },
  {
    ...ctrl,
    key: '\\',
    keys: 'Ctrl \\',
    title: 'Sidebar as a rail',
    icon: PanelLeft,
    overLayers: true,
    offered: true,
    run: () => useView.setState(({ railWanted }) => ({ railWanted: !railWanted })),
  },
  {
    ...ctrl,
    key: ',',
    keys: 'Ctrl ,',
    title: 'Settings',
    icon: Settings,
    offered: false,
    run: () => navigate(lastRoute('settings')),
  },
  {
    key: '?',
    keys: '?',
    title: 'Keyboard shortcuts',
    icon: Keyboard,
    repeats: true,
    offered: true,
    run: ({ showShortcuts }) => showShortcuts(),
  },
];
