/** What a Host may be. */
import { json, queued, refused, request, shown, taken, track } from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

/** Names and addresses are not compared with our own: a proxy or a hosts file may give us any. */
const HOSTS = [
  'localhost',
  'localhost:8765',
  'LOCALHOST:8765',
  'localhost.',
  'app.localhost',
  '127.0.0.1',
  '127.0.0.1:1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0.0.0.0:8765',
  '[::1]',
  '[::1]:8765',
  '[::ffff:127.0.0.1]',
  'api.segment.io',
  'evil.test',
  '127.0.0.1.evil.test:8765',
  'xn--nxasmq6b.test',
  'under_score.test',
  'localhost:0',
  'localhost:99999',
];

const NO_HOSTS = [
  '',
  ':8765',
  'localhost:',
  'localhost:x',
  'localhost:+1',
  'localhost:-1',
  'localhost:123456',
  'localhost: 80',
  'localhost 8765',
  'localhost,evil.test',
  'localhost/v1',
  'localhost#x',
  'localhost?x',
  'localhost\\x',
  'http://localhost',
  '127.0.0.1@evil.test',
  'user:pass@localhost',
  '@localhost',
  '[::1',
  '::1',
  '[::1]x',
  '[::1%25lo]',
  '[localhost]',
  '[]',
  '%6cocalhost',
  '*',
  'local\thost',
  '\u00a0localhost',
  'lo\u00e7alhost',
  '"localhost"',
  '<localhost>',
  "localhost'",
  'localhost;',
  '$(id)',
  '{}',
];

const post = (host: string): Buffer => request('/v1/track', json(track()), { host });

const hosts: readonly CorpusCase[] = [
  ...HOSTS.map((host) => taken(`Host ${host}`, post(host), [queued()])),
  ...NO_HOSTS.map((host) => refused(`Host ${shown(host)}`, post(host), 400, 'invalid_request', { says: 'Host' })),
  taken('a Host of 8 KB', post(`${'a.'.repeat(4_000)}test`), [queued()]),
];

export const hostTopics: readonly Topic[] = [{ topic: 'hosts', cases: hosts }];
