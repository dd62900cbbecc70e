/** Settings of the workspace and of this window, in sections. Changes save themselves. */

import { Database, Info, Keyboard, type LucideIcon, Palette, Radio, Send, ShieldCheck } from 'lucide-react';
import type { ComponentType, MouseEvent } from 'react';
import layoutCss from '../../components/layout.module.css';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { cx } from '../../lib/cx.ts';
import { formatRoute, navigate, type Route, type SettingsSection, useRoute } from '../../stores/route.ts';
import { AboutSection } from './about-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { DeliverySection } from './delivery-section.tsx';
import { IngestSection } from './ingest-section.tsx';
import { PrivacySection } from './privacy/privacy-section.tsx';
import css from './settings-screen.module.css';
import { ShortcutsSection } from './shortcuts-section.tsx';
import { StorageSection } from './storage-section.tsx';

interface SectionEntry {
  readonly id: SettingsSection;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly component: ComponentType;
}

const SECTIONS: readonly SectionEntry[] = [
  { id: 'ingest', label: 'Ingest', icon: Radio, component: IngestSection },
  { id: 'storage', label: 'Storage', icon: Database, component: StorageSection },
  { id: 'delivery', label: 'Delivery', icon: Send, component: DeliverySection },
  { id: 'privacy', label: 'Privacy', icon: ShieldCheck, component: PrivacySection },
  { id: 'appearance', label: 'Appearance', icon: Palette, component: AppearanceSection },
  { id: 'shortcuts', label: 'Shortcuts', icon: Keyboard, component: ShortcutsSection },
  { id: 'about', label: 'About', icon: Info, component: AboutSection },
];

export default function SettingsScreen() {
  const route = useRoute();
  const section = route.screen === 'settings' ? route.section : 'ingest';
  const entry = SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0]!;
  const Content = entry.component;
  return (
    <Screen title="Settings" sub={entry.label} actions={<SaveState />}>
      <div className={css.page}>
        <nav className={css.sections} aria-label="Settings" data-region="sections">
          {SECTIONS.map((one) => (
            <SectionLink key={one.id} entry={one} current={one.id === section} />
          ))}
        </nav>
        {/* Each section scrolls by itself and starts at its top. */}
        <div key={section} className={cx(layoutCss.page, css.content)} data-region="content">
          <div className={css.column}>
            <Content />
          </div>
        </div>
      </div>
    </Screen>
  );
}

function SectionLink({ entry: { id, label, icon: Icon }, current }: { entry: SectionEntry; current: boolean }) {
  const route: Route = { screen: 'settings', section: id };
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  return (
    <a href={formatRoute(route)} aria-current={current ? 'page' : undefined} onClick={open}>
      <Icon className="icon icon-large" aria-hidden="true" />
      {label}
    </a>
  );
}
