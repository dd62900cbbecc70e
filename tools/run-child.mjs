// Starts a process that ends with this one: signals are passed on, its end is taken over. Any Node >= 18.
import { spawn } from 'node:child_process';

/**
 * Resolves never: this process ends as the child does. With `watched` the child is a Node program of ours and
 * gets an IPC channel, which closes however this process ends, so that it stops after a SIGKILL too.
 */
export function becomeChild(command, args, { watched = false, ...options } = {}) {
  const stdio = watched ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit';
  const child = spawn(command, args, { stdio, ...options });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(127);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  return child;
}
