/** A shell script that sends each call again with curl, as a library would. The write key comes from the environment. */
import { curlCommand } from '../../../contract/curl.ts';
import { terminalText } from '../../../contract/plain-text.ts';
import type { Exported, ExportedRequest } from '../exported.ts';
import { visibleJson } from '../visible-text.ts';
import type { FileFacts, Format } from './format.ts';

export const curl: Format = {
  head: ({ at, version }) =>
    ['#!/bin/sh', `# Calls from Hookbench ${version}, ${at}. Set WRITE_KEY to the write key of a source.`, '', ''].join(
      '\n',
    ),
  message: (message, _index, facts) => `# ${terminalText(titleOf(message))}\n${commandOf(message, facts)}\n\n`,
  tail: (written) => `# ${written === 1 ? '1 message' : `${written} messages`}\n`,
};

const titleOf = ({ type, name, messageId, receivedAt }: Exported): string =>
  `${[type, name].filter((part) => part !== '').join(' · ')} · ${messageId} · ${receivedAt}`;

function commandOf({ request }: Exported, { port }: FileFacts): string {
  const body = request === null ? null : sendable(request);
  if (body === null) return '# Its request is no JSON text any more, so there is no command.';
  return curlCommand({
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
