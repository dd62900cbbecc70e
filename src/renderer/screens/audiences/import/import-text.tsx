import { useId, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { FileButton } from '../../../components/file-button.tsx';
import { TextArea } from '../../../components/input.tsx';
import css from './import-members.module.css';
import { MEMBER_FILE } from './words.ts';

/** Before anything is read: a box to paste into, and where a file may be dropped. */
export function ImportText({
  problem,
  onText,
  onFile,
}: {
  problem: string | null;
  onText: (text: string) => void;
  onFile: (file: File) => Promise<void>;
}) {
  const [text, setText] = useState('');
  const id = useId();
  return (
    <div className={css.start}>
      <label htmlFor={id} className="medium">
        Paste ids, or drop a CSV or NDJSON file.
      </label>
      <TextArea
        id={id}
        unwrapped
        rows={9}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        invalid={problem !== null}
        placeholder={'usr_8f21\nusr_c3f5'}
        value={text}
        onPaste={(event) => {
          // A long text is read at once: a box of 100,000 lines would only be slow.
          const pasted = event.clipboardData.getData('text/plain');
          if (pasted === '' || text !== '') return;
          event.preventDefault();
          onText(pasted);
        }}
        onChange={(event) => setText(event.target.value)}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <div className="flex-row">
        <Button disabled={text.trim() === ''} onClick={() => onText(text)}>
          Read these ids
        </Button>
        <FileButton {...MEMBER_FILE} onFile={onFile}>
          Choose a file
        </FileButton>
      </div>
      <p className="muted small">
        One id a line, or columns with a heading. Each id is taken exactly as it stands. Nothing changes before you
        import.
      </p>
    </div>
  );
}
