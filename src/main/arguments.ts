/** The desktop shell's command line and where a workspace's files lie. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

/** The value of `--name VALUE` or `--name=VALUE`; null when it is absent. Switches of Chromium are passed over. */
function optionValue(argv: readonly string[], name: string): string | null {
  const joined = argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  const at = argv.indexOf(`--${name}`);
  const given = joined ?? (at === -1 ? undefined : argv[at + 1]);
  return given === undefined || given === '' || given.startsWith('--') ? null : given;
}

/** The folder after `--workspace`, absolute. */
export function workspaceArgument(argv: readonly string[], folder: string): string | null {
  const given = optionValue(argv, 'workspace');
  return given === null ? null : resolve(folder, given);
}

/** The port after `--ingest-port`; 0 takes any free one. Undefined, as when absent, for what is no port. */
export const ingestPortArgument = (argv: readonly string[]): number | undefined => portArgument(argv, 'ingest-port');

/** The same for a port of another name. */
export function portArgument(argv: readonly string[], name: string): number | undefined {
  const given = optionValue(argv, name);
  return given !== null && /^\d{1,5}$/.test(given) && Number(given) <= 65_535 ? Number(given) : undefined;
}

/**
 * Electron's lock for a single instance belongs to a user data folder; a workspace of its own therefore gets
 * one of its own, and the default workspace lies in the app's.
 */
export function userDataOf(appFolder: string, workspace: string | null): { userData: string; workspace: string } {
  if (workspace === null) return { userData: appFolder, workspace: join(appFolder, 'workspaces', 'default') };
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 24);
  return { userData: join(appFolder, 'profiles', name), workspace };
}
