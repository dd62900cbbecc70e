/** "Copy as curl" for the shell that was used last, with a menu of the others. */
import { ChevronDown } from 'lucide-react';
import type { CurlRequest } from '../../contract/curl.ts';
import { CURL_SHELLS, type CurlShell, curlFor } from '../../contract/curl-file.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Menu } from '../components/menu.tsx';
import { copyAndSay } from '../stores/copied.ts';
import { useView } from '../stores/view.ts';

const SHELL_NAMES: Readonly<Record<CurlShell, string>> = {
  sh: 'sh, bash, zsh',
  powershell: 'PowerShell',
  cmd: 'cmd',
};

export interface CopyCurlProps {
  /** Names the request in the buttons' names: `this attempt`. */
  readonly name: string;
  readonly request: () => CurlRequest;
  /** The same with the values of hidden headers; null when they could not be read and the user was told why. */
  readonly secret?: () => Promise<CurlRequest | null>;
  /** The command line that does the same. */
  readonly command?: string;
}

const asCommand = (command: string) => ({
  label: 'As hookbench replay',
  run: () => void copyAndSay(command, 'hookbench replay command copied'),
});

export function CopyCurl({ name, request, secret, command }: CopyCurlProps) {
  const shell = useView((state) => state.curlShell);
  const choose = (next: CurlShell) => {
    useView.setState({ curlShell: next });
    void copyAndSay(curlFor(next, request()), `curl command for ${SHELL_NAMES[next]} copied`);
  };
  const withSecrets = async (read: () => Promise<CurlRequest | null>) => {
    const found = await read();
    return found === null ? null : curlFor(shell, found);
  };
  return (
    <>
      <CopyButton label={`Copy as curl: ${name}`} text={() => curlFor(shell, request())}>
        Copy as curl
      </CopyButton>
      <Menu
        align="end"
        trigger={
          <Button size="sm" aria-label={`Copy as curl for another shell: ${name}`} title="For another shell">
            <ChevronDown className="icon" aria-hidden="true" />
          </Button>
        }
        items={[
          ...CURL_SHELLS.map((one) => ({ label: `For ${SHELL_NAMES[one]}`, run: () => choose(one) })),
          ...(command === undefined ? [] : [asCommand(command)]),
        ]}
      />
      {secret !== undefined && (
        <CopyButton label={`Copy with secrets as curl: ${name}`} text={() => withSecrets(secret)}>
          Copy with secrets
        </CopyButton>
      )}
    </>
  );
}
