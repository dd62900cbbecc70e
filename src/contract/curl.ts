/**
 * "Copy as curl" for POSIX shells. Everything from outside is in single quotes, so the shell cannot run anything in a
 * payload, URL or header. Hidden header values become shell variables, and the command fails without them. A secret
 * reaches the clipboard only when the user asks for it (with-secrets.ts).
 */
import type { HeaderView } from './values.ts';

/** Quotes any text as one word for sh. Drops NUL, which cannot be part of an argument. */
export function quoteForSh(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "'\\''")}'`;
}

/** curl writes these itself. Repeating them would be wrong as soon as the body is edited. */
const SET_BY_CURL = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Prefixed, so that a header called Path or Home never picks up a variable of the shell. */
const variableOf = (header: string): string => `HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** One variable per hidden value, because names may repeat and X-A and X_A would share one. */
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

/** A header that the command sends. A hidden value is null and comes from the variable. */
export interface SentHeader {
  readonly name: string;
  readonly value: string | null;
  readonly variable: string;
}

/** The headers without those that curl writes itself. Of a hidden value, its length shows whether it is empty. */
export function sentHeaders(headers: readonly HeaderView[]): SentHeader[] {
  const variables = variablesOf(headers);
  return headers
    .filter(({ name }) => !SET_BY_CURL.has(name.toLowerCase()))
    .map((header) => ({
      name: header.name,
      value: 'value' in header ? header.value : header.hiddenLength === 0 ? '' : null,
      variable: variables.get(header) ?? '',
    }));
}

function headerArgument({ name, value, variable }: SentHeader): string {
  // "Name:" would make curl leave the header out; "Name;" sends it empty.
  if (value === '') return `-H ${quoteForSh(`${name};`)}`;
  if (value === null) return `-H ${quoteForSh(`${name}: `)}"\${${variable}:?this header is hidden in Hookbench}"`;
  return `-H ${quoteForSh(`${name}: ${value}`)}`;
}

export interface CurlRequest {
  readonly url: string;
  readonly headers: readonly HeaderView[];
  /** Sent byte for byte as UTF-8. */
  readonly body: string;
  /** Basic authentication user with an empty password. */
  readonly user?: string;
  /** In place of `user`: the shell variable that has it. The command fails without it. */
  readonly userVariable?: string;
}

/** A POST as a curl command over several lines. */
export function curlCommand(request: CurlRequest): string {
  // -g: brackets and braces of the URL are not patterns. --data-raw: a leading @ is not a file.
  const lines = [`curl -i -g -X POST ${quoteForSh(request.url)}`];
  if (request.user !== undefined) lines.push(`-u ${quoteForSh(`${request.user}:`)}`);
  if (request.userVariable !== undefined)
    lines.push(`-u "\${${request.userVariable}:?set it to the write key of a source}:"`);
  for (const header of sentHeaders(request.headers)) lines.push(headerArgument(header));
  lines.push(`--data-raw ${quoteForSh(request.body)}`);
  return lines.join(' \\\n  ');
}
