import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** True where a person uses a desktop: a terminal, no CI and, on Linux, a display. */
export function hasDesktop(env: Environment, isTerminal: boolean, platform: NodeJS.Platform): boolean {
  if (!isTerminal || (env.CI !== undefined && env.CI !== '' && env.CI !== 'false')) return false;
  return platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the system's browser. A missing browser is not an error, because the address was printed. */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [command = 'xdg-open', ...args] = openers[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
