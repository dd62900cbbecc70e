import { Download, Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import css from '../../components/setting.module.css';
import { formatCount, plural } from '../../lib/format.ts';
import { ExportDialog } from '../../message/export/export-dialog.tsx';
import { isEmpty, toFilter } from '../../stores/live/filter.ts';
import { useLive } from '../../stores/live/store.ts';
import { useRecords } from '../../stores/records.ts';
import { ImportDialog } from './import-dialog.tsx';
import { Card } from './parts.tsx';

/** Stored messages as a file, and calls from a file. */
export function ExchangeCard() {
  const [open, setOpen] = useState<'all' | 'filter' | 'import' | null>(null);
  const total = useRecords((state) => state.status?.total ?? 0);
  const { read, matching } = useLive();
  const close = () => setOpen(null);
  return (
    <Card title="Export and import" note="messages as a file">
      <div className={css.control}>
        <Button icon={Download} onClick={() => setOpen('all')}>
          Export all messages
        </Button>
        {!isEmpty(read) && (
          <Button icon={Download} onClick={() => setOpen('filter')}>
            Export what the live filter selects
          </Button>
        )}
        <Button icon={Upload} onClick={() => setOpen('import')}>
          Import calls
        </Button>
      </div>
      {open === 'filter' && (
        <ExportDialog of={{ filter: toFilter(read) }} what={filterWords(matching)} onClose={close} />
      )}
      {open === 'all' && (
        <ExportDialog of={{ filter: {} }} what={`All ${plural(total, 'message')} of this workspace.`} onClose={close} />
      )}
      {open === 'import' && <ImportDialog onClose={close} />}
    </Card>
  );
}

const filterWords = (matching: number | null): string =>
  `The ${matching === null ? '' : `${formatCount(matching)} `}messages that the filter of the live stream selects.`;
