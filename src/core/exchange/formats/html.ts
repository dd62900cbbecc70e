/**
 * The share bundle: one page that opens without Hookbench. It has no script, asks for nothing, and its policy allows
 * neither. What came from outside is text in it.
 */
import { createHash } from 'node:crypto';
import type { Exported, ExportedAttempt, ExportedBytes, ExportedHeader } from '../exported.ts';
import { visibleText } from '../visible-text.ts';
import type { FileFacts, Format } from './format.ts';
import { indented } from './indented.ts';
import { PAGE_STYLE } from './page-style.ts';

export const html: Format = {
  head: (facts) => `${HEAD}${introduction(facts)}`,
  message: article,
  tail: (written) =>
    `</main>\n<footer>${written === 1 ? '1 message' : `${written} messages`}</footer>\n</body></html>\n`,
};

const styleHash = createHash('sha256').update(PAGE_STYLE).digest('base64');

const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Messages from Hookbench</title>
<style>${PAGE_STYLE}</style></head>
`;

function introduction({ at, version, mask }: FileFacts): string {
  const masked = mask.length === 0 ? '' : ` Masked fields: ${text(mask.join(', '))}.`;
  return `<body><header><h1>Messages from Hookbench</h1>
<p>Exported ${text(at)} by Hookbench ${text(version)}. Secrets are hidden.${masked}</p></header>
<main>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Foreign text. Nothing in it ends an element or an attribute, and what would hide or turn it is shown. */
const text = (value: string): string => visibleText(value).replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
/** The same with its line breaks and tabs. */
const lines = (value: string): string =>
  value
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : text(part)))
    .join('');

function article(message: Exported): string {
  const { type, name, state, messageId, delivered, request, attempts, attemptsLeftOut } = message;
  const more = attemptsLeftOut === 0 ? '' : `<p>${attemptsLeftOut} further attempts are not shown.</p>`;
  return `<article><h2><span class="type">${text(type)}</span> ${text(name)} <span class="state">${text(words(state))}</span></h2>
${facts([
  ['messageId', messageId],
  ['Received', message.receivedAt],
  ['userId', message.userId],
  ['anonymousId', message.anonymousId],
  ['Source', message.source],
  ['Origin', message.origin],
  ['Reason', reasonOf(message)],
  ['Notes', message.notes.map(({ code, field }) => (field === undefined ? code : `${code} (${field})`)).join(', ')],
])}
${delivered === null ? '' : block('Delivered body', indented(delivered), true)}
${request === null ? '' : block(`Received: ${request.method} ${request.path}`, headersAnd(request.headers, request), false)}
${attempts.length === 0 ? '<p>No attempts.</p>' : attempts.map(attemptBlock).join('\n')}${more}
</article>
`;
}

const words = (state: string): string => state.replaceAll('_', ' ');

const reasonOf = ({ reason, reasonDetail }: Exported): string | null =>
  reason === null ? null : [words(reason), reasonDetail ?? ''].filter((part) => part !== '').join(': ');

const facts = (rows: ReadonlyArray<readonly [string, string | null]>): string =>
  `<dl>${rows
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `<dt>${name}</dt><dd>${text(value!)}</dd>`)
    .join('')}</dl>`;

const block = (title: string, content: string, open: boolean): string =>
  `<details${open ? ' open' : ''}><summary>${text(title)}</summary><pre tabindex="0" aria-label="${text(title)}">${lines(content)}</pre></details>`;

function attemptBlock(attempt: ExportedAttempt): string {
  const { webhook, round, replay, url, outcome, status, durationMs, startedAt, reason, detail } = attempt;
  const result = [words(outcome ?? 'open'), status, durationMs === null ? null : `${Math.round(durationMs)} ms`];
  const title = `${replay === null ? `Round ${round}` : `Replay (${REPLAYED[replay]})`} · ${webhook} · ${result.filter((part) => part !== null).join(' · ')}`;
  const content = [
    `${startedAt}\nPOST ${url}`,
    attempt.sentBody === undefined
      ? headerLines(attempt.requestHeaders)
      : headersAnd(attempt.requestHeaders, attempt.sentBody),
    [reason, detail].filter((part) => part !== null).join(': '),
    status === null ? '' : `${status} ${attempt.statusText}`,
    headersAnd(attempt.responseHeaders, attempt.response),
  ];
  return block(title, content.filter((part) => part !== '').join('\n\n'), false);
}

const REPLAYED = { delivered: 'as delivered', received: 'as received', edited: 'edited' } as const;

const headersAnd = (headers: readonly ExportedHeader[], bytes: ExportedBytes): string =>
  [headerLines(headers), bodyOf(bytes)].filter((part) => part !== '').join('\n\n');

const headerLines = (headers: readonly ExportedHeader[]): string =>
  headers
    .map(({ name, value, hiddenLength }) => `${name}: ${value ?? `[hidden, ${hiddenLength} characters]`}`)
    .join('\n');

function bodyOf(bytes: ExportedBytes): string {
  if ('body' in bytes) return bytes.body;
  if ('bodyBase64' in bytes) return `Bytes that are no text, as base64:\n${bytes.bodyBase64}`;
  return LEFT_OUT[bytes.bodyLeftOut];
}

const LEFT_OUT = {
  not_kept: 'No body is kept.',
  too_much: 'The body is left out: the answers of this message are too large together.',
  masked: 'The body is left out: chosen fields cannot be masked in it.',
} as const;
