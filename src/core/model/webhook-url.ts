/** The most characters of a URL, before and after it is made canonical. */
export const MAX_WEBHOOK_URL_LENGTH = 4096;

export type UrlProblemCode = 'empty' | 'too_long' | 'not_a_url' | 'not_http' | 'credentials' | 'bad_port' | 'loop';

/** Why a webhook URL is not allowed; `message` is for the person. */
export interface UrlProblem {
  readonly code: UrlProblemCode;
  readonly message: string;
}

export type WebhookUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: UrlProblem };

/**
 * Checks a webhook URL (delivery specification, section 2.1: a full URL including the protocol) and gives its
 * canonical form: lower-case scheme and host, no default port, an escaped path, no fragment (it is never sent).
 * It refuses a user name or password in the URL, because they would be shown and logged with the URL.
 * `ownPorts` are Hookbench's listening ports: a URL that leads back to them is a loop.
 */
export function readWebhookUrl(input: string, ownPorts: readonly number[] = []): WebhookUrl {
  const text = input.trim();
  if (text === '') return refused('empty', 'Enter a URL.');
  if (text.length > MAX_WEBHOOK_URL_LENGTH) return tooLong();
  // URL would accept "http:host" and quietly remove line breaks.
  if (/[^!-~\u00a0-\uffff]/.test(text)) return refused('not_a_url', 'A URL cannot have blanks or line breaks.');
  if (!/^https?:\/\//i.test(text)) return refused('not_http', 'Enter a full URL that starts with http:// or https://.');
  if (!URL.canParse(text)) return refused('not_a_url', 'This is not a URL.');

  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return refused('credentials', 'Leave user name and password out of the URL and add an Authorization header.');
  }
  if (url.port === '0') return refused('bad_port', 'Port 0 cannot be connected to.');
  if (leadsToItself(url, ownPorts))
    return refused('loop', 'This URL is Hookbench itself; its messages would go in circles.');
  url.hash = '';
  return url.href.length > MAX_WEBHOOK_URL_LENGTH ? tooLong() : { ok: true, url: url.href };
}

/**
 * Whether a URL names one of Hookbench's own ports on this machine. A name that resolves to this machine is caught
 * when dialled.
 */
export function leadsToItself(url: URL, ownPorts: readonly number[]): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return ownPorts.includes(port) && isThisMachine(url.hostname);
}

/**
 * Whether a URL's host (as URL gives it: lower case, IPv6 in brackets) is a loopback or unspecified address or
 * `localhost`.
 */
export function isThisMachine(hostname: string): boolean {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (/^127\.\d+\.\d+\.\d+$/.test(host) || host === '0.0.0.0') return true;
  if (host === '[::1]' || host === '[::]') return true;
  // IPv4 inside IPv6 (mapped or the old compatible form): URL writes 127.0.0.1 as 7f00:1.
  return /^\[::(?:ffff:)?(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)\]$/.test(host);
}

function tooLong(): WebhookUrl {
  return refused('too_long', `A URL can have at most ${MAX_WEBHOOK_URL_LENGTH} characters.`);
}

function refused(code: UrlProblemCode, message: string): WebhookUrl {
  return { ok: false, problem: { code, message } };
}
