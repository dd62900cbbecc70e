import type { WorkspaceInfo } from '../../../../contract/live.ts';

export interface FileFact {
  readonly name: string;
  readonly says: string;
}

export interface FileWishes extends Pick<WorkspaceInfo, 'shell' | 'keyStorage'> {
  readonly hasAuthority: boolean;
  readonly hasIndex: boolean;
}

/** What a workspace folder has, in the order of what a person looks for. */
export function filesOf({ shell, keyStorage, hasAuthority, hasIndex }: FileWishes): FileFact[] {
  return [
    { name: 'store.sqlite', says: 'Messages, attempts and settings, as they are. Secrets in it are sealed.' },
    ...(hasIndex ? [{ name: 'search.sqlite', says: 'The search index: bits, no texts.' }] : []),
    ...(keyStorage === 'file' ? [{ name: 'key', says: 'The key that opens the secrets.' }] : []),
    ...(keyStorage === 'system' ? [{ name: 'key.sealed', says: 'The key, which only this system can open.' }] : []),
    ...(shell === 'headless'
      ? [{ name: 'interface-token', says: 'Lets this page in. A start replaces it once it is a day old.' }]
      : []),
    ...(hasAuthority
      ? [
          { name: 'authority.pem', says: 'The certificate of the https listener that clients trust.' },
          { name: 'authority.key', says: 'Its key, sealed.' },
        ]
      : []),
    { name: 'store.json', says: 'The id of the store and its newest row ids. It shows when the store was replaced.' },
  ];
}

/** Joined with the separator that the folder itself has. */
export const pathIn = (folder: string, name: string): string =>
  `${folder.replace(/[\\/]$/, '')}${/^[A-Za-z]:\\|^\\\\/.test(folder) ? '\\' : '/'}${name}`;
