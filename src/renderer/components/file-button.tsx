import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { Button } from './button.tsx';

/** Opens the dialog of the system for a file. `label` says of what; `accept` is what the dialog shows first. */
export function FileButton({
  children,
  small = false,
  label,
  accept,
  onFile,
}: {
  children: string;
  small?: boolean;
  label: string;
  accept: string;
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
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file !== undefined) void onFile(file);
        }}
      />
    </>
  );
}
