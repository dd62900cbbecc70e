import type { WorkspaceInfo } from '../../../contract/live.ts';

/** Where the key is kept that seals the shared secret and static headers (docs/security.md). */
export function keyText({ keyStorage, shell }: Pick<WorkspaceInfo, 'keyStorage' | 'shell'>): string {
  switch (keyStorage) {
    case 'system':
      return 'In the file “key.sealed” in the workspace, itself sealed by the key store of this system.';
    case 'file':
      return shell === 'electron'
        ? 'In the file “key” in the workspace, readable by you alone, not in the key store of this system.'
        : 'In the file “key” in the workspace, readable by you alone.';
    case 'environment':
      return 'In the environment variable HOOKBENCH_KEY of this start. It is in no file.';
    case null:
      return 'Not known here.';
  }
}
