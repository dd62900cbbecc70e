/** The first call in six languages, with the address and the write key filled in. */

export type SnippetLanguage = 'go' | 'javascript' | 'python' | 'shell';

export interface Snippet {
  readonly name: string;
  readonly language: SnippetLanguage;
  /** How to install the library, or a note about it. */
  readonly note: string;
  readonly code: string;
}

/** Escapes quotes and backslashes of a write key for code. */
const inDouble = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
const inSingle = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** `url` is the ingest address without a trailing slash, such as `http://localhost:8765`. */
export function snippets(url: string, writeKey: string): Snippet[] {
  const host = url.replace(/^https?:\/\//, '');
  const key = inDouble(writeKey);
  return [
    { name: 'Go', language: 'go', note: 'go get github.com/segmentio/analytics-go/v3', code: goCode(url, key) },
    {
      name: 'Go v2',
      language: 'go',
      note: 'Deprecated library, for code that still uses it',
      code: goTwoCode(url, key),
    },
    {
      name: 'Node.js',
      language: 'javascript',
      note: 'npm install @segment/analytics-node',
      code: nodeCode(url, inSingle(writeKey)),
    },
    { name: 'Python', language: 'python', note: 'pip install segment-analytics-python', code: pythonCode(url, key) },
    {
      name: 'Browser JS',
      language: 'javascript',
      note: 'npm install @segment/analytics-next',
      code: browserCode(host, inSingle(writeKey)),
    },
    { name: 'curl', language: 'shell', note: 'No install needed', code: curlCode(url, writeKey) },
  ];
}

const goCode = (url: string, key: string): string => `package main

import "github.com/segmentio/analytics-go/v3"

func main() {
	client, _ := analytics.NewWithConfig("${key}", analytics.Config{
		Endpoint:  "${url}",
		BatchSize: 1, // send every call at once
	})
	defer client.Close()

	client.Enqueue(analytics.Track{
		UserId:     "user-42",
		Event:      "Signed Up",
		Properties: analytics.NewProperties().Set("plan", "pro"),
	})
}`;

const goTwoCode = (url: string, key: string): string => `package main

import "github.com/segmentio/analytics-go"

func main() {
	client := analytics.New("${key}")
	client.Endpoint = "${url}"
	client.Size = 1 // send every call at once

	client.Track(&analytics.Track{
		UserId:     "user-42",
		Event:      "Signed Up",
		Properties: map[string]interface{}{"plan": "pro"},
	})
	client.Close()
}`;

const nodeCode = (url: string, key: string): string => `import { Analytics } from '@segment/analytics-node'

const analytics = new Analytics({
  writeKey: '${key}',
  host: '${url}',
  flushAt: 1, // send every call at once
})

analytics.track({
  userId: 'user-42',
  event: 'Signed Up',
  properties: { plan: 'pro' },
})

await analytics.closeAndFlush()`;

const pythonCode = (url: string, key: string): string => `import segment.analytics as analytics

analytics.write_key = "${key}"
analytics.host = "${url}"

analytics.track("user-42", "Signed Up", {"plan": "pro"})
analytics.flush()`;

const browserCode = (host: string, key: string): string => `import { AnalyticsBrowser } from '@segment/analytics-next'

const writeKey = '${key}'
const analytics = AnalyticsBrowser.load({
  writeKey,
  cdnSettings: {
    integrations: {
      'Segment.io': { apiKey: writeKey, apiHost: '${host}/v1', protocol: 'http' },
    },
  },
})

analytics.track('Signed Up', { plan: 'pro' })`;

const curlCode = (url: string, key: string): string => `curl ${url}/v1/track \\
  -u ${/^[\w.-]+$/.test(key) ? `${key}:` : inShell(`${key}:`)} \\
  -H 'Content-Type: application/json' \\
  -d '{"userId":"user-42","event":"Signed Up","properties":{"plan":"pro"}}'`;
