/**
 * "Copy as curl" for POSIX shells. Everything that came from outside stands in single quotes, so nothing in
 * a payload, URL or header can be run by the shell. Hidden header values become shell variables that curl
 * refuses to start without: a secret never reaches the clipboard.
 */
import type { HeaderView } from '../../../contract/values.ts';

/** One word for sh: the text itself, whatever it holds. NUL cannot be an argument and is dropped. */
export function quoteForSh(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;
}

/** Written by curl itself; repeating them would be wrong as soon as the body is edited. */
const SET_BY_CURL = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Prefixed, so that a header called Path or Home never takes what the shell already has. */
const variableOf = (header: string): string => `HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

function headerArgument(header: HeaderView): string {
  if ('hiddenLength' in header)
    return `-H ${quoteForSh(`${header.name}: `)}"\${${variableOf(header.name)}:?this header is hidden in Hookbench}"`;
  // "Name:" alone would make curl leave the header out; "Name;" sends it empty.
  return `-H ${quoteForSh(header.value === '' ? `${header.name};` : `${header.name}: ${header.value}`)}`;
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
  for (const header of request.headers)
    if (!SET_BY_CURL.has(header.name.toLowerCase())) lines.push(headerArgument(header));
  lines.push(`--data-raw ${quoteForSh(request.body)}`);
  return lines.join(' \\\n  ');
}
