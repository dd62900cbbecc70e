/**
 * The search index beside FTS5 with its trigram tokenizer, which SQLite brings along: processor time to build, size, and
 * time to find where a text may be, over the same texts in one process. FTS5 keeps no copy of the texts here, as the
 * index keeps none. `full` has the places of each trigram and finds a text; `none` has only the messages, as our index
 * has only blocks, so a text is the AND of its trigrams. Prints one JSON line.
 *
 *   node bench/search-fts5.ts [--messages 200000] [--searches 20]
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { createSealer } from '../src/core/adapters/sealer.ts';
import { receivedTexts, utf8Of } from '../src/core/search/received.ts';
import { SearchIndex } from '../src/core/search/search-index.ts';
import { openSearch } from '../src/core/store/search-file.ts';
import { rounded } from './load-phase.ts';
import { ABSENT, COMMON, fillSearchStore, RARE, SOME } from './search-store.ts';

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '200000' }, searches: { type: 'string', default: '20' } },
});
const MESSAGES = Number(values.messages);
const SEARCHES = Number(values.searches);
const TOGETHER = 1_000;
const MB = 1024 * 1024;
const WORDS = { absent: ABSENT, rare: RARE, some: SOME, common: COMMON };
const FOREVER = { isOver: () => false };

const folder = mkdtempSync(join(tmpdir(), 'hookbench-fts5-'));
await fillSearchStore(folder, createSealer(randomBytes(32)), MESSAGES);

function cpuSecondsOf(job: () => void): number {
  const before = process.cpuUsage();
  job();
  const { user, system } = process.cpuUsage(before);
  return rounded((user + system) / 1e6, 1);
}

/** Median milliseconds by word, and how many messages have to be read then. */
function searched(find: (word: string) => number): Record<string, { ms: number; toRead: number }> {
  const of = (word: string): { ms: number; toRead: number } => {
    const looks = Array.from({ length: SEARCHES }, () => {
      const startedAt = performance.now();
      const toRead = find(word);
      return { ms: performance.now() - startedAt, toRead };
    }).sort((a, b) => a.ms - b.ms);
    const { ms, toRead } = looks[Math.floor(SEARCHES / 2)]!;
    return { ms: rounded(ms, 2), toRead };
  };
  return Object.fromEntries(Object.entries(WORDS).map(([name, word]) => [name, of(word)]));
}

function ours() {
  const { source, openFile } = openSearch(folder);
  const index = new SearchIndex(source, openFile());
  const buildCpuSeconds = cpuSecondsOf(() => {
    while (index.work(FOREVER));
    index.save();
  });
  const find = (word: string): number =>
    index
      .find({ texts: [word], before: MESSAGES + 1, after: 0, most: Number.MAX_SAFE_INTEGER })!
      .ranges.reduce((sum, { top, bottom }) => sum + top - bottom, 0);
  const words = searched(find);
  const mb = rounded(index.bytes / MB, 1);
  index.close();
  source.close();
  return { buildCpuSeconds, mb, words };
}

function fts5(detail: 'full' | 'none') {
  const { source } = openSearch(folder);
  const path = join(folder, `fts5-${detail}.sqlite`);
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='trigram', detail=${detail})`);
  const insert = db.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  const take = db.transaction((first: number) => {
    for (let id = first; id < first + TOGETHER && id <= MESSAGES; id += 1) {
      const { texts, requests } = source.texts(id, id, 1)!;
      const all = [...texts, ...requests.flatMap((request) => [...receivedTexts(request)])];
      insert.run(id, all.map((text) => Buffer.from(utf8Of(text)).toString()).join('\n'));
    }
  });
  const buildCpuSeconds = cpuSecondsOf(() => {
    for (let first = 1; first <= MESSAGES; first += TOGETHER) take(first);
    db.pragma('wal_checkpoint(TRUNCATE)');
  });
  const select = db.prepare<[string], number>('SELECT rowid FROM texts WHERE texts MATCH ?').pluck();
  const quoted = (text: string): string => `"${text}"`;
  const trigrams = (word: string): string =>
    Array.from({ length: word.length - 2 }, (_, at) => quoted(word.slice(at, at + 3))).join(' AND ');
  const words = searched((word) => select.all(detail === 'full' ? quoted(word) : trigrams(word)).length);
  db.close();
  source.close();
  return { buildCpuSeconds, mb: rounded(statSync(path).size / MB, 1), words };
}

const result = { ours: ours(), fts5Full: fts5('full'), fts5None: fts5('none') };
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify({ bench: 'search-fts5', messages: MESSAGES, ...result })}\n`);
