/**
 * A script that sends each call again with curl, as a library would. The write key comes from the environment. There is
 * one for sh, one for PowerShell and one for cmd: `contract/curl-file.ts` says why each writes its commands differently.
 */
import { type CurlShell, curlFor } from '../../../contract/curl-file.ts';
import { terminalText } from '../../../contract/plain-text.ts';
import type { Exported, ExportedRequest } from '../exported.ts';
import { visibleJson } from '../visible-text.ts';
import type { FileFacts, Format } from './format.ts';

/** What differs between the shells beside the command itself. */
interface Script {
  /** Lines before the first comment, each with its end. */
  readonly start: string;
  readonly variable: string;
  readonly comment: (text: string) => string;
  readonly lineEnd: string;
}

const SCRIPTS: Readonly<Record<CurlShell, Script>> = {
  sh: { start: '#!/bin/sh\n', variable: 'WRITE_KEY', comment: (text) => `# ${text}`, lineEnd: '\n' },
  // Without the mark, Windows PowerShell 5 reads the file in the code page of the machine.
  powershell: { start: '\ufeff', variable: '$env:WRITE_KEY', comment: (text) => `# ${text}`, lineEnd: '\n' },
  // cmd replaces %NAME% in comments too.
  cmd: {
    start: '@echo off\n',
    variable: 'WRITE_KEY',
    comment: (text) => `rem ${text.replaceAll(/[^\w .,:$-]/g, '?')}`,
    lineEnd: '\r\n',
  },
};

const NEEDS = { sh: '', powershell: ' curl 8.3 or later is needed.', cmd: ' curl 8.3 or later is needed.' };

function curlIn(shell: CurlShell): Format {
  const { start, variable, comment, lineEnd } = SCRIPTS[shell];
  const lines = (text: string): string => (lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd));
  const key = `Set ${variable} to the write key of a source.${NEEDS[shell]}`;
  return {
    head: ({ at, version }) => lines(`${start}${comment(`Calls from Hookbench ${version}, ${at}. ${key}`)}\n\n`),
    message: (message, _index, facts) => {
      const command = commandOf(message, facts, shell);
      const without = comment('Its request is no JSON text any more, so there is no command.');
      return lines(`${comment(terminalText(titleOf(message)))}\n${command ?? without}\n\n`);
    },
    tail: (written) => lines(`${comment(written === 1 ? '1 message' : `${written} messages`)}\n`),
  };
}

export const curlScripts: Readonly<Record<CurlShell, Format>> = {
  sh: curlIn('sh'),
  powershell: curlIn('powershell'),
  cmd: curlIn('cmd'),
};

const titleOf = ({ type, name, messageId, receivedAt }: Exported): string =>
  `${[type, name].filter((part) => part !== '').join(' · ')} · ${messageId} · ${receivedAt}`;

/** Null when the request is no JSON text. */
function commandOf({ request }: Exported, { port }: FileFacts, shell: CurlShell): string | null {
  const body = request === null ? null : sendable(request);
  if (body === null) return null;
  return curlFor(shell, {
    url: `http://localhost:${port}${sendPath(request!.path)}`,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    userVariable: 'WRITE_KEY',
    body: visibleJson(body),
  });
}

/** A pixel's call was in its query; as a body it goes to the path of its type. */
const sendPath = (path: string): string => path.replace('/v1/pixel/', '/v1/');

function sendable(request: ExportedRequest): string | null {
  if (!('body' in request)) return null;
  try {
    JSON.parse(request.body);
    return request.body;
  } catch {
    return null;
  }
}
