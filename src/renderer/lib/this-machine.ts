/** True when the host of a URL is written as this machine. What another name leads to is not known here. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(.+\.)?localhost\.?$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
}
