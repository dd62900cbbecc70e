import { Files } from 'lucide-react';
import type { ImportView } from '../../../../contract/audiences.ts';
import { Button } from '../../../components/button.tsx';
import { FileButton } from '../../../components/file-button.tsx';
import { Text } from '../../../components/text.tsx';
import css from './import-members.module.css';
import { fileText, MEMBER_FILE } from './words.ts';

/** What was read, and what to read in its place. */
export function FileRow({
  view,
  progress,
  onPaste,
  onFile,
}: {
  view: ImportView;
  progress: number;
  onPaste: () => void;
  onFile: (file: File) => Promise<void>;
}) {
  const isReading = view.state === 'reading';
  return (
    <div className={css.file}>
      <Files className="icon icon-large" aria-hidden="true" />
      <span className="mono ellipsis" title={view.fileName ?? undefined}>
        <Text>{view.fileName ?? 'Pasted text'}</Text>
      </span>
      <span className="muted small nowrap" role="status">
        {isReading ? `Reading, ${Math.floor(progress * 100)}%` : fileText(view)}
      </span>
      <span className="spacer" />
      <Button size="sm" onClick={onPaste}>
        Paste
      </Button>
      <FileButton small {...MEMBER_FILE} onFile={onFile}>
        Other file
      </FileButton>
    </div>
  );
}
