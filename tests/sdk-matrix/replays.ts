/** Requests of clients that do not run here, sent over a real connection. */
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type Bench, WRITE_KEY } from './bench.ts';
import { type Form, type FormRequest, forms } from './forms.ts';
import { type Line, linesOf } from './table.ts';

/** Sends one request and gives the status. */
export function send(
  bench: Bench,
  { method, path, headers: given, body, chunked, secure }: FormRequest,
): Promise<number> {
  const headers = { ...given, ...(body === undefined || chunked ? {} : { 'Content-Length': body.length }) };
  const options = { host: 'localhost', path, method, headers, agent: false as const };
  const make = (done: (answer: IncomingMessage) => void): ClientRequest =>
    secure
      ? secureRequest({ ...options, port: bench.httpsPort, ca: readFileSync(bench.authorityFile) }, done)
      : request({ ...options, port: bench.port }, done);
  return new Promise((resolve, reject) => {
    const outgoing = make((answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    if (body !== undefined && chunked) {
      outgoing.write(body.subarray(0, 20));
      outgoing.end(body.subarray(20));
    } else outgoing.end(body);
  });
}

const WORDS = { ran: 'form measured', read: 'form read in its source' } as const;

async function replayForm(bench: Bench, form: Form): Promise<Line[]> {
  for (const one of form.requests(WRITE_KEY)) await send(bench, one);
  const notes = [WORDS[form.known], ...(form.needs === null ? [] : [form.needs])];
  return linesOf(bench, form.client, form.version, notes);
}

interface Capture {
  readonly captures: ReadonlyArray<{
    readonly requests: ReadonlyArray<{
      readonly method: 'POST';
      readonly path: string;
      readonly headers: ReadonlyArray<readonly [string, string]>;
      readonly body: unknown;
    }>;
  }>;
}

/** What analytics-go 2.1.1 sent, with the write key of the bench. */
async function replayGo(bench: Bench): Promise<Line[]> {
  const file = new URL('../fixtures/wire/analytics-go-v2.json', import.meta.url);
  const capture = JSON.parse(readFileSync(file, 'utf8')) as Capture;
  const [captured] = capture.captures[0]?.requests ?? [];
  if (captured === undefined) throw new Error('The capture of analytics-go holds no request.');
  const kept = captured.headers.filter(([name]) => !/^(?:host|content-length|authorization)$/i.test(name));
  const headers = {
    ...Object.fromEntries(kept),
    Authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString('base64')}`,
  };
  const body = Buffer.from(JSON.stringify(captured.body));
  await send(bench, { method: captured.method, path: captured.path, headers, body, chunked: false, secure: false });
  return linesOf(bench, 'analytics-go', '2.1.1', ['replay of a capture']);
}

export async function runReplays(bench: Bench): Promise<Line[]> {
  const lines = await replayGo(bench);
  for (const form of forms) lines.push(...(await replayForm(bench, form)));
  return lines;
}
