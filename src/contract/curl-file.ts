/**
 * "Copy as curl" for PowerShell and cmd. Windows programs split their own command line, each PowerShell passes quotes
 * in its own way, and curl reads arguments in the machine's code page. So nothing from outside is an argument: curl
 * reads the whole request from a file (`curl -K`), whose few escapes are curl's own. PowerShell writes the file from a
 * here-string, which has no escapes at all; cmd has it decoded from base64, which has no character that means anything
 * to cmd. Hidden header values are variables of the environment that curl itself reads (curl 8.3), and curl fails
 * without them.
 */
import { type CurlRequest, curlCommand, sentHeaders } from './curl.ts';

/** A value in a curl config file (curl's manual, `--config`). Drops NUL, as the form for sh does. */
function quoted(value: string): string {
  const escapes: Record<string, string> = {
    '\\': '\\\\',
    '"': '\\"',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  };
  return `"${value.replaceAll('\0', '').replace(/[\\"\n\r\t\v]/g, (sign) => escapes[sign]!)}"`;
}

/** The request as a curl config file, one option a line. */
export function curlFile(request: CurlRequest): string {
  const lines = ['include', 'globoff', 'request = "POST"', `url = ${quoted(request.url)}`];
  if (request.user !== undefined) lines.push(`user = ${quoted(`${request.user}:`)}`);
  if (request.userVariable !== undefined)
    lines.push(`variable = "%${request.userVariable}"`, `expand-user = "{{${request.userVariable}}}:"`);
  for (const header of sentHeaders(request.headers)) {
    const { name } = header;
    if (header.value === '') lines.push(`header = ${quoted(`${name};`)}`);
    else if (header.value !== null) lines.push(`header = ${quoted(`${name}: ${header.value}`)}`);
    else lines.push(`variable = "%${header.variable}"`, `expand-header = ${quoted(`${name}: {{${header.variable}}}`)}`);
  }
  lines.push(`data-raw = ${quoted(request.body)}`);
  return `${lines.join('\n')}\n`;
}

/** For Windows PowerShell 5 and PowerShell 7. No line of the file begins with `'@`, which would end the here-string. */
export const curlForPowerShell = (request: CurlRequest): string =>
  [
    '$request = New-TemporaryFile',
    `[IO.File]::WriteAllText($request.FullName, @'\n${curlFile(request)}'@)`,
    'curl.exe -K $request.FullName',
    'Remove-Item $request.FullName',
  ].join('\n');

/** Base64 characters in a line. cmd takes lines of at most 8,191 characters. */
const LINE = 1_000;

export function curlForCmd(request: CurlRequest): string {
  const encoded = base64(curlFile(request));
  const lines = Array.from({ length: Math.ceil(encoded.length / LINE) }, (_, at) =>
    encoded.slice(at * LINE, (at + 1) * LINE),
  );
  const file = (end: string): string => `"%TEMP%\\hookbench-request.${end}"`;
  return [
    '(',
    ...lines.map((line) => `echo ${line}`),
    `)>${file('b64')}`,
    `certutil -f -decode ${file('b64')} ${file('txt')} >nul && curl.exe -K ${file('txt')}`,
    `del ${file('b64')} ${file('txt')}`,
  ].join('\n');
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The shells that a command can be copied for. */
export const CURL_SHELLS = ['sh', 'powershell', 'cmd'] as const;
export type CurlShell = (typeof CURL_SHELLS)[number];

const COMMANDS: Readonly<Record<CurlShell, (request: CurlRequest) => string>> = {
  sh: curlCommand,
  powershell: curlForPowerShell,
  cmd: curlForCmd,
};

export const curlFor = (shell: CurlShell, request: CurlRequest): string => COMMANDS[shell](request);
