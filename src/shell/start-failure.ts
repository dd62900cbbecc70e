/** What a start's error means to whoever started a shell. */
import { EngineStartError, type EngineStartErrorCode } from '../core/engine/engine-thread.ts';
import { ConfigFileError } from './config-file.ts';
import { exitCodes } from './exit-codes.ts';
import { UsageError } from './option-table.ts';

export interface StartFailure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number | null>>;
}

/** `config_invalid`: the file is well formed and the engine refused a value; its message starts with the path. */
const engineExitCodes: Partial<Record<EngineStartErrorCode, number>> = {
  workspace_in_use: exitCodes.workspaceInUse,
  config_invalid: exitCodes.usage,
};

export function startFailure(error: unknown): StartFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigFileError) {
    const { code, path } = error;
    return {
      exitCode: exitCodes.usage,
      code,
      message: path === '' ? message : `${path}: ${message}`,
      details: { path },
    };
  }
  if (error instanceof EngineStartError) {
    const way = error.code === 'store_replaced' ? ' To open it as it is: hookbench serve --accept-store.' : '';
    const exitCode = engineExitCodes[error.code] ?? exitCodes.failed;
    return { exitCode, code: error.code, message: `${message}${way}`, details: {} };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  const exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  return { exitCode, code, message: inPlainWords(error, code, message), details: {} };
}

const PLAIN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or folder',
  EACCES: 'No permission',
  EISDIR: 'This is a folder, not a file',
  ENOTDIR: 'A part of the path is no folder',
};

/** Of `ENOENT: no such file or directory, open '/x'` the words and the path: the code stands before it already. */
function inPlainWords(error: unknown, code: string, message: string): string {
  if (!message.startsWith(`${code}: `)) return message;
  const { path, syscall } = error as NodeJS.ErrnoException;
  const [said = ''] = message.slice(code.length + 2).split(`, ${syscall}`);
  const words = PLAIN_WORDS[code] ?? `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  return path === undefined ? `${words}.` : `${words}: ${path}`;
}
