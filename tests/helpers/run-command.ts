/** A command of the command line, run in the process of its test. */
import { vi } from 'vitest';
import type { CliParts, Command } from '../../src/cli/command.ts';
import type { Environment } from '../../src/shell/start-options.ts';

export interface Ran {
  /** What it wrote to standard output. */
  readonly text: string;
  readonly code: number;
}

/** Rejects with what the command throws. */
export async function runCommand(command: Command, args: readonly string[], env: Environment = {}): Promise<Ran> {
  const { stdout } = process;
  const listeners = stdout.listeners('error');
  let text = '';
  const write = vi.spyOn(stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    const code = (await command.run(args, {} as CliParts, env)) ?? 0;
    return { text, code };
  } finally {
    write.mockRestore();
    // A process of its own would have ended.
    for (const listener of stdout.listeners('error'))
      if (!listeners.includes(listener)) stdout.off('error', listener as () => void);
  }
}
