import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import {
  Activity,
  ChartColumn,
  Contact,
  FingerprintPattern,
  FlaskConical,
  Inbox,
  Plug,
  RotateCcw,
  Settings,
  Users,
  UserX,
  Webhook,
} from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { AppFrame } from './frame/app-frame.tsx';
import { DEMO_SHORTCUTS } from './frame/demo/demo-keys.ts';
import { EndedPage, useEnded } from './frame/demo/end-demo.tsx';
import { PartBoundary } from './frame/part-boundary.tsx';
import { Screen } from './frame/screen.tsx';
import type { ScreenEntry } from './frame/screen-entry.ts';
import type { ShortcutGroup } from './frame/shortcut-list.tsx';
import { ConnectingPage, NoTokenPage, UnknownPage } from './frame/start-pages.tsx';
import { DETAIL_SHORTCUTS } from './message/detail-keys.ts';
import { styleNonce } from './platform/nonce.ts';
import { AUDIENCE_SHORTCUTS } from './screens/audiences/audience-keys.ts';
import { IMPORT_SHORTCUTS } from './screens/audiences/import/import-keys.ts';
import { RULE_SHORTCUTS } from './screens/audiences/rule/rule-keys.ts';
import { DELETION_SHORTCUTS } from './screens/deletions/deletion-keys.ts';
import LiveScreen from './screens/live/live-screen.tsx';
import { LIVE_SHORTCUTS } from './screens/live/use-live-keys.ts';
import { RECEIVER_SHORTCUTS } from './screens/receivers/receiver-keys.ts';
import { REPLAY_SHORTCUTS } from './screens/replay/send-key.ts';
import SourcesScreen from './screens/sources/sources-screen.tsx';
import WebhooksScreen from './screens/webhooks/webhooks-screen.tsx';
import type { Records } from './stores/records.ts';
import { useRecords } from './stores/records.ts';
import { useRoute } from './stores/route.ts';

const PeopleScreen = lazy(() => import('./screens/people/people-screen.tsx'));
const OverviewScreen = lazy(() => import('./screens/overview/overview-screen.tsx'));
const AudiencesScreen = lazy(() => import('./screens/audiences/audiences-screen.tsx'));
const DeletionsScreen = lazy(() => import('./screens/deletions/deletions-screen.tsx'));
const FaultsScreen = lazy(() => import('./screens/faults/faults-screen.tsx'));
const ReceiversScreen = lazy(() => import('./screens/receivers/receivers-screen.tsx'));
const ReplayScreen = lazy(() => import('./screens/replay/replay-screen.tsx'));
const SignatureScreen = lazy(() => import('./screens/signature/signature-screen.tsx'));
const SettingsScreen = lazy(() => import('./screens/settings/settings-screen.tsx'));

const FAULTS_ON = { text: 'On', look: true };
const FAULTS_OFF = { text: 'Off', look: false };
const faultsWord = ({ faults }: Records) => (faults?.active === true ? FAULTS_ON : FAULTS_OFF);

/** Every screen, in the order of the sidebar. */
export const SCREENS: readonly ScreenEntry[] = [
  {
    id: 'overview',
    label: 'Overview',
    group: 'top',
    icon: ChartColumn,
    key: 'o',
    component: OverviewScreen,
  },
  {
    id: 'live',
    label: 'Live stream',
    title: 'Live',
    group: 'top',
    icon: Activity,
    key: 'l',
    count: ({ status }) => status?.total ?? null,
    component: LiveScreen,
  },
  {
    id: 'people',
    label: 'People',
    group: 'top',
    icon: Contact,
    key: 'p',
    component: PeopleScreen,
  },
  {
    id: 'replay',
    label: 'Replay',
    group: 'Send',
    icon: RotateCcw,
    key: 'r',
    component: ReplayScreen,
  },
  {
    id: 'webhooks',
    label: 'Webhooks',
    group: 'Delivery',
    icon: Webhook,
    key: 'w',
    count: ({ webhooks }) => webhooks.length,
    component: WebhooksScreen,
  },
  {
    id: 'receivers',
    label: 'Receivers',
    group: 'Delivery',
    icon: Inbox,
    key: 'v',
    count: ({ receivers }) => receivers?.entries.length ?? null,
    component: ReceiversScreen,
  },
  {
    id: 'signature',
    label: 'Signature lab',
    group: 'Delivery',
    icon: FingerprintPattern,
    key: 'i',
    component: SignatureScreen,
  },
  {
    id: 'sources',
    label: 'Sources',
    group: 'Data',
    icon: Plug,
    key: 's',
    count: ({ sources }) => sources.length,
    component: SourcesScreen,
  },
  {
    id: 'audiences',
    label: 'Audiences',
    group: 'Data',
    icon: Users,
    key: 'a',
    count: ({ audiences }) => audiences?.audiences.length ?? null,
    component: AudiencesScreen,
  },
  {
    id: 'deletions',
    label: 'Deletions',
    group: 'Data',
    icon: UserX,
    key: 'd',
    count: ({ deletions }) => deletions?.total ?? null,
    component: DeletionsScreen,
  },
  {
    id: 'faults',
    label: 'Ingest faults',
    group: 'foot',
    icon: FlaskConical,
    key: 'f',
    word: faultsWord,
    component: FaultsScreen,
  },
  {
    id: 'settings',
    label: 'Settings',
    group: 'foot',
    icon: Settings,
    key: 't',
    component: SettingsScreen,
  },
];

export const SHORTCUTS: readonly ShortcutGroup[] = [
  LIVE_SHORTCUTS,
  DETAIL_SHORTCUTS,
  REPLAY_SHORTCUTS,
  RECEIVER_SHORTCUTS,
  AUDIENCE_SHORTCUTS,
  RULE_SHORTCUTS,
  IMPORT_SHORTCUTS,
  DELETION_SHORTCUTS,
  DEMO_SHORTCUTS,
];

export function App({ tokenMissing = false }: { tokenMissing?: boolean }) {
  return (
    <CSPProvider nonce={styleNonce()}>
      <Tooltip.Provider delay={500}>{tokenMissing ? <NoTokenPage /> : <Connected />}</Tooltip.Provider>
    </CSPProvider>
  );
}

function Connected() {
  const ready = useRecords((state) => state.ready);
  const ended = useEnded();
  if (ended) return <EndedPage />;
  return ready ? <Screens /> : <ConnectingPage />;
}

function Screens() {
  const { screen } = useRoute();
  const entry = SCREENS.find(({ id }) => id === screen);
  const Content = entry?.component ?? UnknownPage;
  return (
    <AppFrame screens={SCREENS} current={screen} shortcuts={SHORTCUTS}>
      <PartBoundary key={screen} frame={(content: ReactNode) => <Screen title={entry?.label ?? ''}>{content}</Screen>}>
        <Content />
      </PartBoundary>
    </AppFrame>
  );
}
