/** The workspaces that this user opened before, which the shell keeps outside any of them. */
import { z } from 'zod';
import { command, gives } from './command.ts';

z.config({ jitless: true });

export interface KnownWorkspace {
  /** Absolute. */
  readonly folder: string;
  /** The name of the folder. */
  readonly name: string;
  /** When it was opened last, in epoch milliseconds. */
  readonly openedAt: number;
  readonly isDemo: boolean;
  /** False while there is no folder at that path. */
  readonly isThere: boolean;
}

export const workspaceCommands = {
  /** The other workspaces, the newest first. Empty where the shell keeps none. */
  'workspaces.list': command(z.null().optional(), gives<readonly KnownWorkspace[]>()),
};
