/** Where one-time addresses lie. */
export const LAUNCH_PREFIX = '/launch/';

export const isLaunchPath = (path: string): boolean => path.startsWith(LAUNCH_PREFIX);
