/** Posts to ingest as an SDK does. */

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Posts a text, which need not be JSON, with further headers. Gives any answer, read to its end. */
export async function postText(
  ingestUrl: string,
  writeKey: string,
  path: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  // Not by btoa, which refuses what is not Latin-1.
  const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  const answer = await fetch(`${ingestUrl}/v1/${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: text,
  });
  return { status: answer.status, text: await answer.text() };
}

/** `path` is that of a call, such as `track` or `batch`. Throws unless the answer is 200. */
export async function postCall(ingestUrl: string, writeKey: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await postText(ingestUrl, writeKey, path, JSON.stringify(body));
  if (status !== 200) throw new Error(`Ingest answered ${path} with ${status}: ${text}`);
}
