import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import factsCss from '../../components/facts.module.css';
import layoutCss from '../../components/layout.module.css';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { formatDateTime, plural } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import css from './about-section.module.css';
import { ConfigFileCard } from './config-file-card.tsx';
import { keyText } from './key-words.ts';
import { DOCUMENTS, NOTICES, type Notice } from './notices.ts';
import { Card } from './parts.tsx';
import settingsCss from './settings.module.css';

/** Version, locations, the settings as a file, and licences. */
export function AboutSection() {
  return (
    <>
      <ProgramCard />
      <ConfigFileCard />
      <DocumentsCard />
      <NoticesCard />
    </>
  );
}

const SHELLS = { electron: 'Desktop app', headless: 'Headless, in a browser' } as const;

function ProgramCard() {
  const workspace = useRecords((state) => state.workspace);
  const badTexts = useRecords((state) => state.status?.badTexts ?? null);
  if (workspace === null) return null;
  const { folder, version, shell } = workspace;
  return (
    <Card title="Hookbench" note="the Segment pipeline on your desk">
      <dl className={cx(factsCss.facts, settingsCss.facts)}>
        <dt>Version</dt>
        <dd>{version}</dd>
        <dt>Workspace</dt>
        <dd className={cx('flex-row', layoutCss.gap4)}>
          <span className="mono ellipsis" title={folder}>
            <Text ltr>{folder}</Text>
          </span>
          <CopyButton text={folder} label="Copy the workspace folder" />
        </dd>
        <dt>Shell</dt>
        <dd>{SHELLS[shell]}</dd>
        <dt>Key of secrets</dt>
        <dd>{keyText(workspace)}</dd>
        <dt>Log</dt>
        <dd>
          On standard error, warnings and errors. <span className="mono">HOOKBENCH_LOG=debug</span> at the start shows
          more.
        </dd>
        {badTexts !== null && (
          <>
            <dt>Contract</dt>
            <dd>
              {plural(badTexts.count, 'text')} that {badTexts.count === 1 ? 'was' : 'were'} no call, the last at{' '}
              {formatDateTime(badTexts.lastAt)}. Each ended its connection.
            </dd>
          </>
        )}
        <dt>Licence</dt>
        <dd>MIT</dd>
      </dl>
    </Card>
  );
}

function DocumentsCard() {
  return (
    <Card title="Documents" note="in the folder of the program">
      <ul className={css.list}>
        {DOCUMENTS.map(([file, about]) => (
          <li key={file}>
            <span className="mono">{file}</span>
            <span className="secondary">{about}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NoticesCard() {
  const [shown, setShown] = useState<Notice | null>(null);
  return (
    <Card title="Open-source notices" note="fonts and icons">
      <ul className={css.list}>
        {NOTICES.map((notice) => (
          <li key={notice.name}>
            <span className="medium">{notice.name}</span>
            <span className="secondary">{`${notice.what}, ${notice.licence}`}</span>
            <Button size="sm" aria-label={`Licence of ${notice.name}`} onClick={() => setShown(notice)}>
              Licence
            </Button>
          </li>
        ))}
      </ul>
      <Dialog
        open={shown !== null}
        onClose={() => setShown(null)}
        title={`Licence of ${shown?.name ?? ''}`}
        width={680}
      >
        <ScrollRegion className={css.licence} aria-label="Licence text">
          {shown?.text}
        </ScrollRegion>
      </Dialog>
    </Card>
  );
}
