import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../components/button.tsx';

/** Opens the dialog of the system for a file of user ids. */
export function FileButton({
  children,
  small = false,
  onFile,
}: {
  children: string;
  small?: boolean;
  onFile: (file: File) => Promise<void>;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size={small ? 'sm' : 'md'} icon={Upload} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,text/*"
        aria-label="File of user ids"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file !== undefined) void onFile(file);
        }}
      />
    </>
  );
}
