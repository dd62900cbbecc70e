/**
 * "Copy as curl" for POSIX shells. Everything that came from outside stands in single quotes, so nothing in
 * a payload, URL or header can be run by the shell. Hidden header values become shell variables that curl
 * refuses to start without: a secret reaches the clipboard only when the person asks for it (with-secrets.ts).
 */
import type { HeaderView } from '../../contract/values.ts';

/** One word for sh: the text itself, whatever it holds. NUL cannot be an argument and is dropped. */
export function quoteForSh(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;
}

/** Written by curl itself; repeating them would be wrong as soon as the body is edited. */
const SET_BY_CURL = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Prefixed, so that a header called Path or Home never takes what the shell already has. */
const variableOf = (header: string): string => `HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** One variable for each hidden value: names may repeat, and X-A and X_A would share one. */
function variablesOf(headers: readonly HeaderView[]): Map<HeaderView, string> {
  const used = new Map<string, number>();
  const variables = new Map<HeaderView, string>();
  for (const header of headers.filter((one) => 'hiddenLength' in one)) {
    const name = variableOf(header.name);
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    variables.set(header, count === 1 ? name : `${name}__${count}`);
  }
  return variables;
}

function headerArgument(header: HeaderView, variable: string | undefined): string {
  // "Name:" alone would make curl leave the header out; "Name;" sends it empty. Its length says so of a hidden one.
  if ('hiddenLength' in header ? header.hiddenLength === 0 : header.value === '')
    return `-H ${quoteForSh(`${header.name};`)}`;
  if ('hiddenLength' in header)
    return `-H ${quoteForSh(`${header.name}: `)}"\${${variable}:?this header is hidden in Hookbench}"`;
  return `-H ${quoteForSh(`${header.name}: ${header.value}`)}`;
}

export interface CurlRequest {
  readonly url: string;
  readonly headers: readonly HeaderView[];
  /** Sent byte for byte as UTF-8. */
  readonly body: string;
  /** Basic authentication user with an empty password. */
  readonly user?: string;
}

/** A POST as a curl command over several lines. */
export function curlCommand(request: CurlRequest): string {
  // -g: brackets and braces of the URL are not patterns. --data-raw: a leading @ is not a file.
  const lines = [`curl -i -g -X POST ${quoteForSh(request.url)}`];
  if (request.user !== undefined) lines.push(`-u ${quoteForSh(`${request.user}:`)}`);
  const variables = variablesOf(request.headers);
  for (const header of request.headers)
    if (!SET_BY_CURL.has(header.name.toLowerCase())) lines.push(headerArgument(header, variables.get(header)));
  lines.push(`--data-raw ${quoteForSh(request.body)}`);
  return lines.join(' \\\n  ');
}
