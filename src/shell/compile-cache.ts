/**
 * Node's compile cache: what V8 made of our modules is kept in the user's cache folder, so that a later start does not
 * compile them again. A cache that is absent, old or damaged only makes a start slower.
 */
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Record<string, string | undefined>;

/** The user's cache folder, as each system has it. Never a workspace. */
export function cacheFolder(env: Environment, platform: NodeJS.Platform, home = homedir()): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'hookbench', 'Cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'hookbench');
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'hookbench');
}

/**
 * Turns the cache on for this thread and, through the environment, for the threads that it starts. A folder that the
 * user gave Node stays. `NODE_DISABLE_COMPILE_CACHE=1` keeps it off.
 */
export function keepCompiled(env: Environment = process.env, platform = process.platform): void {
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = join(cacheFolder(env, platform), 'compiled');
  const { status } = module.enableCompileCache(folder);
  if (status === module.constants.compileCacheStatus.ENABLED) env.NODE_COMPILE_CACHE = folder;
}
