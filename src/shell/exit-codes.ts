/** How the command line ends (docs/cli.md). */
export const exitCodes = { ok: 0, failed: 1, usage: 2, portInUse: 3, workspaceInUse: 4 } as const;
