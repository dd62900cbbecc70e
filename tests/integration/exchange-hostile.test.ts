/** What is hostile in stored messages stays text in every export, and hostile files are refused (reliability, X5). */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXPORT_FORMATS } from '../../src/contract/exchange-limits.ts';
import { TRUSTED_ROWS } from '../../src/core/exchange/importer.ts';
import { answering, type ExchangeWorld, startExchange, WEBHOOK } from '../helpers/exchange-world.ts';
import { harRules } from '../helpers/har-rules.ts';
import { HOSTILE_STRINGS } from '../helpers/hostile-strings.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

/** The lone surrogate of the list cannot be stored as text of a row. */
const stored = (text: string): string => text.toWellFormed();

/** Each string as event, user, property and answer of the webhook. */
async function hostileWorld(): Promise<ExchangeWorld> {
  const world = await startExchange();
  world.sim.transport.on(WEBHOOK, (request) => answering(200, Buffer.from(request.body).toString())(request, 1));
  for (let at = 0; at < HOSTILE_STRINGS.length; at += 50)
    await world.post('/v1/batch', {
      batch: HOSTILE_STRINGS.slice(at, at + 50).map((text, i) => ({
        type: 'track',
        messageId: `m-${at + i}`,
        userId: `u${text}`,
        event: text,
        properties: { text, [text]: 'key' },
      })),
    });
  return world;
}

/** What a terminal would obey, or a reader would not see. CR, LF and tab are up to the format. */
const STEERING = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const ALLOWED: Record<string, RegExp> = {
  ndjson: /\n/g,
  har: /\n/g,
  csv: /^\ufeff|\r\n|[\u200c\u200d]/g,
  curl: /\n/g,
  html: /[\n\u200c\u200d]/g,
  powershell: /^\ufeff|\n/g,
  cmd: /\r\n/g,
};
const FILES = [...EXPORT_FORMATS, 'powershell', 'cmd'] as const;
type FileKind = (typeof FILES)[number];

/** PowerShell and cmd have their own scripts of curl commands. */
const askedOf = (kind: FileKind): Parameters<ExchangeWorld['export']>[0] =>
  kind === 'powershell' || kind === 'cmd' ? { format: 'curl', shell: kind } : { format: kind };

async function everyFormat(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const world = await hostileWorld();
  for (const kind of FILES) {
    const { text, written } = await world.export(askedOf(kind));
    expect(written).toBe(250);
    files.set(kind, text);
  }
  return files;
}

/** Made by the first test that asks. */
let files: Promise<Map<string, string>> | null = null;

async function file(format: FileKind): Promise<string> {
  expect(HOSTILE_STRINGS).toHaveLength(250);
  files ??= everyFormat();
  return (await files).get(format)!;
}

/** The body in a config file of curl. */
function bodyOf(request: string): string {
  const [, body] = /^data-raw = "((?:[^"\\]|\\.)*)"$/m.exec(request)!;
  const signs: Record<string, string> = { n: '\n', r: '\r', t: '\t', v: '\v' };
  return body!.replace(/\\(.)/g, (_, sign: string) => signs[sign] ?? sign);
}
const textOf = (body: string): unknown => JSON.parse(body).batch[0].properties.text;

describe('250 hostile strings', () => {
  test.each(FILES)('in %s steer no terminal and hide nothing', async (format) => {
    expect(STEERING.exec((await file(format)).replaceAll(ALLOWED[format]!, ''))).toBeNull();
  });

  test('are read from NDJSON as they were sent', async () => {
    const lines = (await file('ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ delivered }) => JSON.parse(delivered).properties.text)).toEqual(HOSTILE_STRINGS);
    expect(lines.map(({ name }) => name)).toEqual(HOSTILE_STRINGS.map(stored));
    expect(lines.map(({ request }) => JSON.parse(request.body).batch[0].event)).toEqual(HOSTILE_STRINGS);
  });

  test('make a HAR by the rules of version 1.2, and are read from it as they were sent', async () => {
    const { log } = harRules.parse(JSON.parse(await file('har')));
    expect(log.entries).toHaveLength(500);
    const calls = log.entries.filter((_, i) => i % 2 === 0);
    const attempts = log.entries.filter((_, i) => i % 2 === 1);
    const sent = (entry: (typeof calls)[number]) => JSON.parse(entry.request.postData!.text);
    expect(calls.map((entry) => sent(entry).batch[0].properties.text)).toEqual(HOSTILE_STRINGS);
    expect(attempts.map((entry) => sent(entry).properties.text)).toEqual(HOSTILE_STRINGS);
    expect(attempts.map(({ response }) => JSON.parse(response.content.text!).event)).toEqual(HOSTILE_STRINGS);
  });

  test('are no formula in a CSV, and can be read in it', async () => {
    const [heading, ...rows] = csvRows(await file('csv'));
    expect(rows).toHaveLength(250);
    for (const row of rows) {
      expect(row).toHaveLength(heading!.length);
      for (const cell of row) expect(cell).not.toMatch(/^\s*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/);
    }
    const delivered = heading!.indexOf('delivered');
    expect(rows.map((row) => JSON.parse(row[delivered]!).properties.text)).toEqual(HOSTILE_STRINGS);
  });

  test('reach curl as they were sent, and a shell runs nothing in them', async () => {
    const folder = tempWorkspace();
    writeFileSync(
      join(folder, 'curl'),
      '#!/bin/sh\nfor last; do :; done\nprintf "%s" "$last" > "$OUT/$(ls "$OUT" | wc -l)"\n',
      { mode: 0o755 },
    );
    writeFileSync(join(folder, 'calls.sh'), await file('curl'));
    const out = tempWorkspace();
    const env = { PATH: `${folder}:/usr/bin:/bin`, OUT: out, WRITE_KEY: 'k', HOME: folder };
    execFileSync('/bin/sh', ['calls.sh'], { cwd: folder, env });
    const bodies = Array.from({ length: 250 }, (_, i) => JSON.parse(readFileSync(join(out, String(i)), 'utf8')));
    expect(bodies.map(({ batch }) => batch[0].properties.text)).toEqual(HOSTILE_STRINGS);
    expect(readdirSync(folder).sort()).toEqual(['calls.sh', 'curl']);
  });

  test('reach curl from PowerShell as they were sent, and nothing of them is outside the quotes', async () => {
    const script = (await file('powershell')).replace('\ufeff', '');
    const bodies: string[] = [];
    const quoted = /@'\n([\s\S]*?)\n'@\)\n/g;
    for (const [, request] of script.matchAll(quoted)) bodies.push(bodyOf(request!));
    expect(bodies.map(textOf)).toEqual(HOSTILE_STRINGS);
    const lines = script.replaceAll(quoted, '\n').split('\n');
    const commands = new Set(lines.filter((line) => line !== '' && !line.startsWith('# ')));
    expect([...commands]).toEqual([
      '$request = New-TemporaryFile',
      '[IO.File]::WriteAllText($request.FullName, ',
      'curl.exe -K $request.FullName',
      'Remove-Item $request.FullName',
    ]);
  });

  test('reach curl from cmd as they were sent, and no line has a sign that cmd obeys', async () => {
    const script = (await file('cmd')).replaceAll('\r\n', '\n');
    const bodies = [...script.matchAll(/^\(\n([\s\S]*?)\n\)>/gm)].map(([, lines]) =>
      bodyOf(Buffer.from(lines!.replaceAll(/^echo /gm, ''), 'base64').toString()),
    );
    expect(bodies.map(textOf)).toEqual(HOSTILE_STRINGS);
    const lines = script.split('\n').filter((line) => !/^echo [A-Za-z0-9+/=]{4,1000}$/.test(line));
    const commands = new Set(lines.filter((line) => line !== '' && !/^rem [\w .,:$?-]+$/.test(line)));
    expect([...commands]).toEqual([
      '@echo off',
      '(',
      ')>"%TEMP%\\hookbench-request.b64"',
      expect.stringMatching(/^certutil -f -decode "%TEMP%/),
      expect.stringMatching(/^del "%TEMP%/),
    ]);
  });

  test('are text in the page to share, which has no script, link or form', async () => {
    const document = await parsed(await file('html'));
    const names = new Set([...document.querySelectorAll('*')].map(({ localName }) => localName));
    const plain = [
      'html',
      'head',
      'meta',
      'title',
      'style',
      'body',
      'header',
      'h1',
      'h2',
      'p',
      'main',
      'article',
      'span',
    ];
    const more = ['dl', 'dt', 'dd', 'details', 'summary', 'pre', 'footer'];
    expect([...names].filter((name) => ![...plain, ...more].includes(name))).toEqual([]);
    const attributes = new Set([...document.body.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()));
    expect([...attributes].sort()).toEqual(['aria-label', 'class', 'open', 'tabindex']);
    const bodies = [...document.querySelectorAll('details[open] pre')].map((pre) => JSON.parse(pre.textContent!));
    expect(bodies.map(({ properties }) => properties.text)).toEqual(HOSTILE_STRINGS);
  });

  test('come back from an export as the same calls', async () => {
    const world = await startExchange();
    expect(await world.import(await file('ndjson'), { size: 60_000 })).toMatchObject({ read: 250, imported: 250 });
    const again = (await world.export({ format: 'ndjson' })).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(again.map(({ delivered }) => JSON.parse(delivered).properties.text)).toEqual(HOSTILE_STRINGS);
  });
});

/** The package has no types of its own. */
async function parsed(html: string): Promise<Document> {
  const { JSDOM } = (await import('jsdom' as string)) as { JSDOM: new (html: string) => { window: Window } };
  return new JSDOM(html).window.document;
}

/** By RFC 4180, behind the byte order mark. */
function csvRows(text: string): string[][] {
  return text
    .slice(1)
    .split('\r\n')
    .slice(0, -1)
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')));
}

const CALL = '{"type":"track","event":"E","userId":"u"}';
const HOSTILE_FILES: ReadonlyArray<readonly [what: string, text: string]> = [
  ['nothing', ''],
  ['blank lines', '\n\n \r\n'],
  ['a byte order mark alone', '\ufeff'],
  ['a list', `[${CALL}]`],
  ['a deep list', '['.repeat(100_000)],
  ['a deep call', `{"type":"track","event":"E","userId":"u","properties":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`],
  ['a deep closed list', '['.repeat(50_000) + ']'.repeat(50_000)],
  ['a line of 3 MB', `{"type":"track","a":"${'x'.repeat(3_000_000)}"}`],
  ['a line of 3 MB without an end', '{'.repeat(3_000_000)],
  ['SQLite', 'SQLite format 3\u0000'],
  ['a zip', 'PK\u0003\u0004../../etc/passwd'],
  ['HTML', '<script>alert(1)</script>'],
  ['a path', '{"hookbench":1,"request":{"path":"../../etc/passwd","body":"{}"}}'],
  ['a settings path', '{"hookbench":1,"request":{"path":"/v1/projects/x/settings","body":"{}"}}'],
  ['a deletion', '{"hookbench":1,"request":{"path":"/v1/regulations","body":"{}"}}'],
  ['no request', '{"hookbench":1}'],
  ['another version', '{"hookbench":99,"request":{"path":"/v1/track","body":"{}"}}'],
  ['a version that is no number', '{"hookbench":{},"request":{"path":"/v1/track","body":"{}"}}'],
  ['a body that is no text', '{"hookbench":1,"request":{"path":"/v1/track","body":{"event":"E","userId":"u"}}}'],
  ['a body that is no JSON', '{"hookbench":1,"request":{"path":"/v1/track","body":"{"}}'],
  ['a body of bytes', '{"hookbench":1,"request":{"path":"/v1/track","bodyBase64":"AAAA"}}'],
  ['an empty batch', '{"hookbench":1,"request":{"path":"/v1/batch","body":"{\\"batch\\":[]}"}}'],
  ['__proto__', '{"__proto__":{"type":"track","event":"E","userId":"u"}}'],
  ['constructor', '{"constructor":{"prototype":{"type":"track"}}}'],
  ['a type that every object has', '{"type":"toString","userId":"u"}'],
  ['numbers as ids', '{"type":"track","event":"E","userId":{"a":1}}'],
  ['a long id', `{"type":"track","event":"E","userId":"u","messageId":"${'m'.repeat(200)}"}`],
  ['a call of 40 KB', `{"type":"track","event":"E","userId":"u","p":"${'x'.repeat(40_000)}"}`],
  ['a bad time', '{"type":"track","event":"E","userId":"u","timestamp":"yesterday"}'],
  ['raw control characters', '{"type":"track","event":"\u001b[2J","userId":"u"}'],
  ['an empty HAR', '{"log":{}}'],
  ['a HAR that ends early', '{"log":{"entries":[{"request":{"method":"POST","url":"http://x/v1/t"'],
  ['a HAR with entries that are no list', '{"log":{"entries":{"a":1}}}'],
  [
    'a HAR with odd entries',
    '{"log":{"entries":[1,"a",null,[],{},{"request":1},{"request":{"method":"POST","url":1}}]}}',
  ],
  ['a HAR with a deep entry', `{"log":{"entries":[${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}]}}`],
  ['a HAR with brackets that do not match', '{"log":{"entries":[{]}}}}}}}}]]]]'],
  ['a HAR with an entry of 3 MB', `{"log":{"entries":[{"a":"${'x'.repeat(3_000_000)}"}]}}`],
  ['a HAR whose text says entries', '{"log":{"comment":"\\"entries\\":[{","entries":[]}}'],
  [
    'a HAR to a page of the machine',
    '{"log":{"entries":[{"request":{"method":"POST","url":"file:///etc/passwd","postData":{"text":"{}"}}}]}}',
  ],
];

describe('hostile files', () => {
  test('import nothing, add up, and leave the engine as it was', async () => {
    const world = await startExchange();
    for (const [what, text] of HOSTILE_FILES) {
      const view = await world.import(text);
      const { read, imported, duplicates, refused, other, done, problems } = view;
      expect([what, imported, duplicates, done]).toEqual([what, 0, 0, true]);
      expect([what, refused + other]).toEqual([what, read]);
      expect([what, problems.length]).toEqual([what, refused]);
    }
    expect(await world.rows()).toEqual([]);
    expect(await world.import(CALL)).toMatchObject({ imported: 1 });
  });

  test('with rows of 3 MB say that they are too long, and keep the rows around them', async () => {
    const world = await startExchange();
    const long = `{"type":"track","event":"E","userId":"u","a":"${'x'.repeat(3_000_000)}"}`;
    const other = CALL.replace('"E"', '"F"');
    const view = await world.import([CALL, long, other].join('\n'));
    expect(view).toMatchObject({ read: 3, imported: 2, refused: 1 });
    expect(view.problems).toEqual([{ at: 2, text: 'It is longer than 1 MB.' }]);
  });

  test('with 100,000 bad lines are counted to the end, and 200 of them are told', async () => {
    const world = await startExchange();
    const view = await world.import('{"type":"track"}\n'.repeat(100_000), { size: 65_536 });
    expect(view).toMatchObject({ read: 100_000, refused: 100_000, imported: 0 });
    expect(view.problems).toHaveLength(200);
  });

  test('are parsed only while few lines are no JSON, because each parse that fails costs memory', async () => {
    const world = await startExchange();
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const lines = Array.from({ length: 5_000 }, (_, i) => `{"type":"track",broken ${i}`);
    const view = await world.import(`${lines.join('\n')}\n${CALL}`, { size: 65_536 });
    expect(view).toMatchObject({ read: 5_001, refused: 5_000, imported: 1 });
    expect(parse.mock.results.filter(({ type }) => type === 'throw')).toHaveLength(TRUSTED_ROWS);
  });

  test('of more than 100 MB end at the limit', async () => {
    const world = await startExchange();
    const { import: token } = await world.ask('messages.importOpen', {});
    const text = ' '.repeat(65_536);
    for (let n = 0; n < 1_600; n += 1) await world.ask('messages.importText', { import: token, text, last: false });
    await expect(world.ask('messages.importText', { import: token, text: ' ', last: false })).rejects.toMatchObject({
      code: 'import_too_large',
    });
  });
});
