import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import type { CommandInput } from '../../../contract/commands.ts';
import { EXCHANGE_LIMITS, type ExportFormat } from '../../../contract/exchange-limits.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/controls.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Input } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { Setting } from '../../components/setting.tsx';
import { formatIso, formatPercent, formatSize, plural } from '../../lib/format.ts';
import { copyAndSay } from '../../stores/copied.ts';
import { useRecords } from '../../stores/records.ts';
import { saveAndSay } from '../../stores/saved.ts';
import { showError } from '../../stores/toasts.ts';
import css from './export-dialog.module.css';
import { FORMAT_OPTIONS, FORMAT_WORDS } from './formats.ts';
import { pathsOf, problemOf, textOfPaths } from './mask-paths.ts';
import type { Exported, ExportProgress } from './run-export.ts';
import { useExport } from './use-export.ts';

/** The clipboard is for what a person pastes somewhere. */
const MAX_COPIED = 5 * 1024 * 1024;

/** Saves or copies messages as a file. `what` names them: `3 selected messages`. At most 10,000 ids. */
export function ExportDialog({
  of,
  what,
  onClose,
}: {
  of: CommandInput<'messages.export'>['of'];
  what: string;
  onClose: () => void;
}) {
  const [format, setFormat] = useState<ExportFormat>('ndjson');
  const [fields, setFields] = useState(() => textOfPaths(useRecords.getState().exports?.mask ?? []));
  const [signatures, setSignatures] = useState(false);
  const { progress, run, stop } = useExport();
  const mask = pathsOf(fields);
  const problem = problemOf(mask);
  const tooMany = 'ids' in of && of.ids.length > EXCHANGE_LIMITS.exportIds;
  const disabled = progress !== null || problem !== null || tooMany;
  const begin = async (use: (exported: Exported) => Promise<boolean>) => {
    const exported = await run({ format, of, mask, signatures });
    if (exported !== null && (await use(exported))) onClose();
  };
  const save = ({ file, written }: Exported) =>
    saveAndSay(fileName(format), file, `Exported ${plural(written, 'message')}`);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Export"
      width={560}
      actions={
        <>
          {progress === null ? <Button onClick={onClose}>Cancel</Button> : <Button onClick={stop}>Stop</Button>}
          <Button icon={Copy} disabled={disabled} onClick={() => void begin(copy)}>
            Copy
          </Button>
          <Button variant="primary" icon={Download} disabled={disabled} onClick={() => void begin(save)}>
            Save file
          </Button>
        </>
      }
    >
      <div className={css.fields}>
        <p>{tooMany ? 'A selection of more than 10,000 messages cannot be exported. Export the filter.' : what}</p>
        <Setting label="Format" hint={FORMAT_WORDS[format].says}>
          <Select label="Format" value={format} options={FORMAT_OPTIONS} onChange={setFormat} />
        </Setting>
        <Field
          label="Mask fields"
          error={problem}
          hint="Paths into the call, separated by commas. Their values are masked wherever they appear in the message."
        >
          {({ invalid, ...control }) => (
            <Input
              mono
              {...control}
              invalid={invalid}
              value={fields}
              placeholder="traits.email, userId"
              onChange={(event) => setFields(event.target.value)}
            />
          )}
        </Field>
        <Setting label="Signatures" hint="Write keys, secrets and static headers are never exported.">
          <Checkbox label="Include X-Signature" checked={signatures} onChange={setSignatures} />
          <span aria-hidden="true">Include X-Signature</span>
        </Setting>
        {progress !== null && <Progress progress={progress} />}
      </div>
    </Dialog>
  );
}

const Progress = ({ progress: { written, share } }: { progress: ExportProgress }) => (
  <div className={css.progress}>
    <progress aria-label="Export" value={share} />
    <span className="nowrap">{`${plural(written, 'message')}, ${formatPercent(share, 1)}`}</span>
  </div>
);

/** A refused copy leaves the dialog open: the file can still be saved. */
async function copy({ file, written }: Exported): Promise<boolean> {
  if (file.size > MAX_COPIED) {
    const body = `It has ${formatSize(file.size)}. The clipboard gets at most ${formatSize(MAX_COPIED)}.`;
    showError({ title: 'Could not copy', body });
    return false;
  }
  return copyAndSay(await file.text(), `Copied ${plural(written, 'message')}`);
}

/** In local files a colon is not allowed everywhere. */
const fileName = (format: ExportFormat): string =>
  `hookbench-${formatIso(Date.now()).slice(0, 19).replaceAll(':', '-')}.${FORMAT_WORDS[format].file}`;
